;;; cj-gate.el --- The gate through which an agent acts on the world -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The cj-gate developers

;; Author: The cj-gate developers
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (gptel "0.9.9.5"))
;; Keywords: tools, convenience
;; URL: https://github.com/cjennings/cj-gate
;; SPDX-License-Identifier: GPL-3.0-or-later

;; This program is free software; you can redistribute it and/or modify
;; it under the terms of the GNU General Public License as published by
;; the Free Software Foundation, either version 3 of the License, or
;; (at your option) any later version.

;; This program is distributed in the hope that it will be useful,
;; but WITHOUT ANY WARRANTY; without even the implied warranty of
;; MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
;; GNU General Public License for more details.

;; You should have received a copy of the GNU General Public License
;; along with this program.  If not, see <https://www.gnu.org/licenses/>.

;;; Commentary:

;; A language model that works in Emacs (through gptel) wants to act on the
;; world.  cj-gate is the one gate that all its calls pass: a call is parsed,
;; classified, allowed, refused or shown to a person, run without blocking,
;; capped, redacted, rendered and recorded.
;;
;; This file is the front of the gate: loading it defines, or autoloads, the
;; functions for other Lisp and the commands for people.  The stages of a call
;; are in cj-gate-job.el, which the first call loads.  All code that must be
;; right under attack or while Emacs is busy is in the native module.

;;; Code:

(require 'cj-gate-load)
(require 'cj-gate-plan)
(require 'cj-gate-settings)
(require 'cj-gate-text)

;;;; Calls

(autoload 'cj/gate-submit "cj-gate-job" "Send a call through the gate.")
(autoload 'cj/gate-more "cj-gate-job" "Give a part of a result that is kept.")
(autoload 'cj/gate-reject "cj-gate-job" "Answer a call that cannot be submitted.")
(autoload 'cj/gate-abandon "cj-gate-job" "End calls and answer nobody.")

;;;; Commands

(autoload 'cj/gate-stop "cj-gate-stop" "Stop the gate." t)
(autoload 'cj/gate-resume "cj-gate-stop" "Let calls run again." t)
(autoload 'cj/gate-leases "cj-gate-leases" "List the leases." t)
(autoload 'cj/gate-approvals "cj-gate-approval" "Go to the call that waits." t)
(autoload 'cj/gate-queue "cj-gate-approval-queue" "List the calls that wait." t)
(autoload 'cj/gate-runs "cj-gate-runs" "Show what runs and what waits." t)

(provide 'cj-gate)

;;; cj-gate.el ends here
