//! An answer that is given exactly once, whatever becomes of whoever owes it.

/// Owes an answer; where it is dropped without one, as in a panic, it gives the one for that case.
pub struct Promise<T, F: FnOnce(T)> {
    rest: Option<(F, T)>,
}

impl<T, F: FnOnce(T)> Promise<T, F> {
    /// Will call `tell`, with `broken` where nothing else is said.
    pub const fn new(tell: F, broken: T) -> Self {
        Self {
            rest: Some((tell, broken)),
        }
    }

    /// Gives `answer`.
    pub fn keep(mut self, answer: T) {
        if let Some((tell, _)) = self.rest.take() {
            tell(answer);
        }
    }
}

impl<T, F: FnOnce(T)> Drop for Promise<T, F> {
    fn drop(&mut self) {
        if let Some((tell, broken)) = self.rest.take() {
            tell(broken);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::Promise;
    use crate::run;

    #[test]
    fn whoever_waits_is_not_answered_after_a_panic_or_is_answered_twice() {
        let (tell, told) = mpsc::channel();
        let again = tell.clone();
        let promise = Promise::new(move |word| tell.send(word).expect("read below"), "broken");
        run::start_aside(Box::new(move |_| {
            let _owed = promise;
            panic!("on purpose");
        }));
        assert_eq!(told.recv(), Ok("broken"));
        Promise::new(move |word| again.send(word).expect("read below"), "broken").keep("kept");
        assert_eq!(told.iter().collect::<Vec<_>>(), ["kept"]);
    }
}
