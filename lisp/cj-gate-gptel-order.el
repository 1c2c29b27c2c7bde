;;; cj-gate-gptel-order.el --- The order in which the model made its calls -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; While gptel reads a streamed answer, it puts each tool call before the calls
;; that it has read already.  For some backends it leaves the list so: the
;; model's last call comes first (gptel 0.9.9.5 and 0.9.9.6, openai and
;; anthropic; a TODO in gptel says so).  Which backends do so is not looked up
;; by version: once for each type of backend, gptel's own parser reads a stream
;; of two calls here, and the order of its result tells.

;;; Code:

(require 'cl-lib)

(declare-function gptel-curl--parse-stream "ext:gptel-request")
(declare-function gptel-fsm-info "ext:gptel-request" (fsm) t)

(defconst cj/gate-gptel-order--streams
  '((gptel-openai . "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}]}

data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"2\",\"type\":\"function\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]}}]}

data: [DONE]

")
    (gptel-anthropic . "event: content_block_start
data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\",\"input\":{}}}

event: content_block_delta
data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}

event: content_block_stop
data: {\"type\":\"content_block_stop\",\"index\":0}

event: content_block_start
data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"2\",\"name\":\"g\",\"input\":{}}}

event: content_block_delta
data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}

event: content_block_stop
data: {\"type\":\"content_block_stop\",\"index\":1}

event: message_delta
data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":1}}

"))
  "Streams in which a model makes the calls \"1\" and \"2\", by type of backend.
They have the form of OpenAI's chat completions and of Anthropic's messages.")

(defvar cj/gate-gptel-order--known nil
  "Whether gptel reverses the calls of a stream, by type of backend, an alist.")

(defun cj/gate-gptel-order--try (backend stream)
  "Return the ids of the tool use, in gptel's order, from STREAM of BACKEND."
  (let ((info (list :data (list :messages []) :backend backend :stream t)))
    (with-temp-buffer
      (insert stream)
      (goto-char (point-min))
      (gptel-curl--parse-stream backend info))
    (mapcar (lambda (call) (plist-get call :id)) (plist-get info :tool-use))))

(defun cj/gate-gptel-order-reversed-p (backend)
  "Return non-nil if gptel reverses the tool use in a stream of BACKEND."
  (let* ((type (type-of backend))
         (known (assq type cj/gate-gptel-order--known)))
    (unless known
      (setq known
            (cons type
                  (condition-case nil
                      (cl-loop for (parent . stream) in cj/gate-gptel-order--streams
                               thereis (and (cl-typep backend parent)
                                            (equal (cj/gate-gptel-order--try backend stream)
                                                   '("2" "1"))))
                    (error nil))))
      (push known cj/gate-gptel-order--known))
    (cdr known)))

(defun cj/gate-gptel-order-restore (info)
  "Put the tool use in INFO, of a gptel request, into the model's own order.
gptel matches answers to calls by their ids, so it works with either order.  A
list that was put in order once is not reversed again."
  (let ((calls (plist-get info :tool-use)))
    (when (and (cdr calls)
               (plist-get info :stream)
               (not (eq calls (plist-get info :cj/gate-ordered)))
               (cj/gate-gptel-order-reversed-p (plist-get info :backend)))
      (setq calls (reverse calls))
      (plist-put info :tool-use calls)
      (plist-put info :cj/gate-ordered calls))))

(provide 'cj-gate-gptel-order)

;;; cj-gate-gptel-order.el ends here
