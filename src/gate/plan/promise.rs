//! An answer that is given exactly once, even if the code that owes it panics.

/// Owes one answer.  If the promise is dropped without an answer, as in a panic, it gives the answer `broken`.
pub struct Promise<T, F: FnOnce(T)> {
    rest: Option<(F, T)>,
}

impl<T, F: FnOnce(T)> Promise<T, F> {
    /// Makes a promise that will call `tell` once: with the answer of [`Promise::keep`], or with `broken` when dropped.
    pub const fn new(tell: F, broken: T) -> Self {
        Self {
            rest: Some((tell, broken)),
        }
    }

    /// Calls `tell` with `answer`.
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
    fn a_promise_answers_exactly_once_after_a_panic_too() {
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
