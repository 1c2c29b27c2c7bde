;;; lab-tools.el --- Ask tools and read their answers -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A model calls tools in a conversation of the real gptel; the tests in
;; tools-*.el look at the answers that the model got.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'lab-gptel)

(defun tools-tests--turn (calls)
  "Return a turn in which the model makes CALLS, lists (TOOL KEY VALUE...)."
  (list :tool_calls
        (vconcat (cl-loop for (name . arguments) in calls for n from 0
                          collect (list :id (format "%s-%d" name n) :name name
                                        :arguments (or arguments "{}"))))))

(defun tools-tests--ask (lab calls &rest how)
  "Let the model of LAB make CALLS in one turn; return their answers in order.
The script of LAB must be the `tools-tests--turn' of CALLS.  HOW are keywords of
`lab-converse'."
  (let* ((talk (apply #'lab-converse lab :deadline 60 how))
         (answers (lab-talk-answers talk)))
    (should (eq (lab-talk-state talk) 'DONE))
    (should (= (lab-talk-prompts talk) 0))
    (cl-loop for (name . nil) in calls for n from 0
             collect (cdr (assoc (format "%s-%d" name n) answers)))))

(defmacro tools-tests--with (spec &rest body)
  "Run BODY after a model has made some calls.
SPEC is (ANSWERS CALLS [WORLD [LAB]]).  ANSWERS is bound to the answers to
CALLS, a list of strings; LAB to the lab.  WORLD is as in `lab-start'."
  (declare (indent 1))
  (pcase-let ((`(,answers ,calls ,world ,lab) spec)
              (made (make-symbol "calls")))
    (let ((lab (or lab (make-symbol "lab"))))
      `(let ((,made ,calls))
         (lab-with (,lab (list (tools-tests--turn ,made)) ,world)
           (let ((,answers (tools-tests--ask ,lab ,made)))
             ,@body))))))

(defun tools-tests--text (answer)
  "Return the text of ANSWER below its header.
Each age, such as 3d, is AGE in it, and a handle is HANDLE."
  (replace-regexp-in-string
   " handle=m[0-9]+ " " handle=HANDLE "
   (replace-regexp-in-string
    " · [0-9]+\\(?:s\\|min\\|h\\|d\\|mo\\|y\\)$\\| · [0-9]+\\(?:s\\|min\\|h\\|d\\|mo\\|y\\)\\( ·\\)"
    " · AGE\\1"
    (substring answer (1+ (string-search "\n" answer))))))

(defun tools-tests--lines (&rest lines)
  "Return LINES as one text."
  (string-join lines "\n"))

(defun tools-tests--sorted (requests)
  "Return REQUESTS, rows of `lab-seen', sorted by their printed form."
  (sort (copy-sequence requests)
        (lambda (a b) (string< (prin1-to-string a) (prin1-to-string b)))))

(provide 'lab-tools)

;;; lab-tools.el ends here
