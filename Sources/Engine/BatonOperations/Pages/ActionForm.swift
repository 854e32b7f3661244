import Baton
import BatonJobs

/// An action, as encoded in links and HTML forms, such as `/act/retry?run=12`.
struct ActionForm: Sendable {
  /// The names of actions in links.
  enum Kind: String, Sendable, CaseIterable {
    case retry, cancel, discard, payload, run, pause, resume, backfill
    case retryEdited = "retry-edited"
    case retryDead = "retry-dead"
    case discardDead = "discard-dead"
    case dryRun = "dry-run"
    case pauseSchedule = "pause-schedule"
    case resumeSchedule = "resume-schedule"
  }

  let kind: Kind
  /// The parameters of the action and the user's input.
  ///
  /// The possible field names are `run`, `job`, `key`, `group`, `schedule`, `from`, `to`, `payload`
  /// and `sure`.
  let fields: [String: String]

  init(_ kind: Kind, _ fields: [String: String]) {
    self.kind = kind
    self.fields = fields.filter { !$0.value.isEmpty }
  }

  /// Creates the requested action, or returns nil if the action does not exist.
  init?(_ path: [String], _ fields: [String: String]) {
    guard path.count == 1, let kind = Kind(rawValue: path[0]) else { return nil }
    self.init(kind, fields)
  }

  /// The link to the page that asks the user to confirm the action.
  var link: Link {
    Link(
      parts: ["act", kind.rawValue],
      asking: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  private var job: String { fields["job"] ?? "" }
  private var schedule: String { fields["schedule"] ?? "" }

  /// The validation rules for the form's fields, which the HTTP API also uses.
  private static let rules: KeyValuePairs<String, FieldRule> = [
    "run": .id, "job": .name, "key": .key, "group": .group, "payload": .payload,
  ]

  /// Returns the action, or nil if a field is missing.
  ///
  /// - Throws: ``InvalidField`` if a field is invalid.
  func action() throws(InvalidField) -> OperatorAction? {
    for (name, rule) in Self.rules {
      guard let text = fields[name], !rule.isGood(text) else { continue }
      throw InvalidField(name, "'\(text.prefix(80))' is not valid.", "Enter \(rule.text).")
    }
    switch kind {
    case .retry, .cancel, .discard, .payload:
      return fields["run"].flatMap { Int64($0) }.map(ofRun)
    case .retryEdited:
      guard let id = fields["run"].flatMap({ Int64($0) }), let payload = fields["payload"] else {
        return nil
      }
      return .retryEdited(id, payload: payload)
    case .pauseSchedule, .resumeSchedule, .backfill:
      guard let id = ScheduleID(schedule) else { return nil }
      if kind == .backfill { return .backfill(id, try backfill()) }
      return kind == .pauseSchedule ? .pauseSchedule(id) : .resumeSchedule(id)
    default: return job.isEmpty ? nil : ofJob
    }
  }

  private func ofRun(_ id: Int64) -> OperatorAction {
    switch kind {
    case .retry: .retry(id)
    case .cancel: .cancel(id)
    case .payload: .payload(id)
    default: .discard(id)
    }
  }

  private var ofJob: OperatorAction {
    let dead = OperatorAction.DeadSelection(
      RunSelection(job: job), group: fields["group"], limit: OperatorAction.DeadSelection.most)
    switch kind {
    case .retryDead: return .retryDead(dead)
    case .discardDead: return .discardDead(dead)
    case .pause: return .pauseJob(job)
    case .resume: return .resumeJob(job)
    case .dryRun: return .dryRun(job: job, key: fields["key"])
    default: return .run(job: job, key: fields["key"])
    }
  }

  /// Returns the range of a backfill, in UTC and whole minutes.
  ///
  /// The backfill is a dry run unless the `sure` field is present.
  private func backfill() throws(InvalidField) -> OperatorAction.Backfill {
    let from = try seconds("from"), to = try seconds("to")
    guard from < to else {
      throw InvalidField(
        "from and to", "The range ends before it begins.", "Enter an end after the beginning.")
    }
    return OperatorAction.Backfill(range: from..<to, isDryRun: fields["sure"] == nil)
  }

  private func seconds(_ name: String) throws(InvalidField) -> Int64 {
    // Browsers send a date and time without the time zone, and may omit the seconds.
    var text = fields[name] ?? ""
    if text.count == 16 { text += ":00" }
    if text.count == 19 { text += "Z" }
    guard let seconds = Instant.seconds(text) else {
      throw InvalidField(
        name, "'\(text.prefix(80))' is not an instant.", "Enter a date of the calendar and a time.")
    }
    return seconds
  }

  // MARK: Texts

  /// The question on the confirmation page.
  var confirmation: String {
    let run = fields["run"] ?? ""
    let group = fields["group"] == nil ? "dead runs" : "dead runs of this error"
    return switch kind {
    case .retry: "Retry run \(run)?"
    case .retryEdited: "Retry run \(run) with another payload?"
    case .cancel: "Cancel run \(run)?"
    case .discard: "Discard run \(run)?"
    case .payload: "Show the payload of run \(run)?"
    case .retryDead: "Retry the \(group) of \(job)?"
    case .discardDead: "Discard the \(group) of \(job)?"
    case .run: "Run \(job) now?"
    case .dryRun: "Try \(job) without changing anything?"
    case .pause: "Pause \(job)?"
    case .resume: "Resume \(job)?"
    case .pauseSchedule: "Pause the schedule \(schedule)?"
    case .resumeSchedule: "Resume the schedule \(schedule)?"
    case .backfill: "Backfill the schedule \(schedule)?"
    }
  }

  /// The description of the action's consequences.
  var meaning: String {
    switch kind {
    case .retry: "The run becomes ready now, with all its attempts."
    case .retryEdited:
      "The run becomes ready now as a new run, with this payload and all its attempts. The old id finds the new run."
    case .cancel: "A waiting run ends now, a running run at its next step."
    case .discard: "The run and its payload are deleted. This cannot be undone."
    case .payload:
      "The payload is shown unredacted and may contain personal data. The audit log records this request."
    case .retryDead:
      "At most the oldest 1,000 runs become ready; the result says how many are left."
    case .discardDead:
      "At most the oldest 1,000 runs and their payloads are deleted. This cannot be undone."
    case .run: "A worker starts the run as soon as limits and pauses allow it."
    case .dryRun:
      "The work is done in a transaction and rolled back. The page shows what would change."
    case .pause: "Workers stop claiming its runs until it is resumed. Running runs finish."
    case .resume: "Workers claim its runs again."
    case .pauseSchedule: "Its occurrences are skipped until it is resumed."
    case .resumeSchedule: "It fires again. Missed occurrences are handled as its definition says."
    case .backfill:
      fields["sure"] == nil
        ? "The first step only lists the occurrences." : "Each of these occurrences is fired once."
    }
  }

  /// The text on the button.
  var button: String {
    switch kind {
    case .retry, .retryDead: "Retry"
    case .retryEdited: "Retry with this payload"
    case .cancel: "Cancel the run"
    case .discard, .discardDead: "Discard"
    case .payload: "Show payload"
    case .run: "Run now"
    case .dryRun: "Dry run"
    case .pause, .pauseSchedule: "Pause"
    case .resume, .resumeSchedule: "Resume"
    case .backfill: fields["sure"] == nil ? "Show what would be fired" : "Fire them"
    }
  }

  /// Whether the action is irreversible.
  var isGrave: Bool { [.cancel, .discard, .discardDead].contains(kind) }

  /// The link to the page that is shown after the action.
  var back: Link {
    switch kind {
    case .retry, .retryEdited, .cancel, .payload: Link("runs", fields["run"] ?? "")
    // A discarded run no longer has its own page, so this link leads to the list of dead runs.
    case .discard: Link("runs", asking: ["state": "dead"])
    case .retryDead, .discardDead: Link("dead")
    case .pauseSchedule, .resumeSchedule, .backfill: SchedulesPage.link(to: schedule)
    default: Link("jobs", job)
    }
  }
}

/// The error for a form with an invalid field.
struct InvalidField: Error {
  let complaint: Complaint

  init(_ field: String, _ what: String, _ next: String) {
    complaint = Complaint(.usage, what: what, place: field, next: next)
  }
}

extension Link {
  /// Returns the link with an additional query field.
  func asking(_ name: String, _ value: String) -> Link {
    let path = text.prefix { $0 != "?" }
    let query = FormText.pairs(text.dropFirst(path.count + 1)) ?? [:]
    let kept = query.filter { $0.key != name }.sorted { $0.key < $1.key }
    return Link(
      parts: path.split(separator: "/").compactMap {
        FormText.decoded($0, plusIsSpace: false)
      }, asking: kept.map { ($0.key, $0.value.first) } + [(name, value)])
  }
}
