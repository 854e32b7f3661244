import Baton
import BatonJobs
import Foundation

/// An action as links and forms say it: `/act/retry?run=12`.
struct ActionForm: Sendable {
  /// Its names in links.
  enum Kind: String, Sendable, CaseIterable {
    case retry, cancel, discard, payload, run, pause, resume, backfill
    case retryDead = "retry-dead"
    case discardDead = "discard-dead"
    case dryRun = "dry-run"
    case pauseSchedule = "pause-schedule"
    case resumeSchedule = "resume-schedule"
  }

  let kind: Kind
  /// `run`, `job`, `key`, `group`, `schedule`, `from`, `to`, `sure`; what is asked and what was answered.
  let fields: [String: String]

  init(_ kind: Kind, _ fields: [String: String]) {
    self.kind = kind
    self.fields = fields.filter { !$0.value.isEmpty }
  }

  /// What is asked for; nil: there is no such action.
  init?(_ path: [String], _ fields: [String: String]) {
    guard path.count == 1, let kind = Kind(rawValue: path[0]) else { return nil }
    self.init(kind, fields)
  }

  /// The page that asks the operator to confirm.
  var link: Link {
    Link(
      parts: ["act", kind.rawValue],
      asking: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  private var job: String { fields["job"] ?? "" }
  private var schedule: String { fields["schedule"] ?? "" }

  /// What it is; nil where something lacks.
  ///
  /// - Throws: `Complaint` for what cannot be read.
  func action() throws -> OperatorAction? {
    switch kind {
    case .retry, .cancel, .discard, .payload:
      return fields["run"].flatMap { Int64($0) }.map(ofRun)
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
    let dead = OperatorAction.DeadSelection(job: job, group: fields["group"])
    switch kind {
    case .retryDead: return .retryDead(dead)
    case .discardDead: return .discardDead(dead)
    case .pause: return .pauseJob(job)
    case .resume: return .resumeJob(job)
    case .dryRun: return .dryRun(job: job, key: fields["key"])
    default: return .run(job: job, key: fields["key"])
    }
  }

  /// Of a range in UTC, by the minute; without `sure` it is only looked at.
  private func backfill() throws -> OperatorAction.Backfill {
    let from = try seconds("from"), to = try seconds("to")
    guard from < to else {
      throw Complaint(
        .usage, what: "The range ends before it begins.", place: "from and to",
        next: "Name an end behind the beginning.")
    }
    return OperatorAction.Backfill(range: from..<to, isDryRun: fields["sure"] == nil)
  }

  private func seconds(_ name: String) throws -> Int64 {
    // A browser leaves the seconds and the zone out.
    var text = fields[name] ?? ""
    if text.count == 16 { text += ":00" }
    if text.count == 19 { text += "Z" }
    return Int64(try Date(instant: text, place: name).timeIntervalSince1970)
  }

  // MARK: In words

  /// What a person is asked.
  var confirmation: String {
    let run = fields["run"] ?? ""
    let group = fields["group"] == nil ? "dead runs" : "dead runs of this error"
    return switch kind {
    case .retry: "Retry run \(run)?"
    case .cancel: "Cancel run \(run)?"
    case .discard: "Discard run \(run)?"
    case .payload: "Show what run \(run) carries?"
    case .retryDead: "Retry the \(group) of \(job)?"
    case .discardDead: "Discard the \(group) of \(job)?"
    case .run: "Run \(job) now?"
    case .dryRun: "Try \(job) without changing anything?"
    case .pause: "Pause \(job)?"
    case .resume: "Resume \(job)?"
    case .pauseSchedule: "Pause the schedule \(schedule)?"
    case .resumeSchedule: "Resume the schedule \(schedule)?"
    case .backfill: "Fire what the schedule \(schedule) has not fired?"
    }
  }

  /// What that means.
  var meaning: String {
    switch kind {
    case .retry: "It begins again with all its attempts, at once."
    case .cancel: "It ends: a waiting run at once, a running one at its next step."
    case .discard: "It is forgotten with what it carries. Nobody can bring it back."
    case .payload:
      "Its payload is shown as it is, with what it may hold of people. The audit notes who asked."
    case .retryDead: "The oldest 1,000 at most begin again; it says how many are left."
    case .discardDead:
      "The oldest 1,000 at most are forgotten with what they carry. Nobody can bring them back."
    case .run: "A worker takes the run as soon as it may; limits and a pause hold."
    case .dryRun:
      "The work is done in a transaction that is rolled back. What it would change is shown."
    case .pause: "No worker claims its runs until somebody resumes it. Running ones end."
    case .resume: "Workers claim its runs again."
    case .pauseSchedule: "Its occurrences pass until somebody resumes it."
    case .resumeSchedule: "It fires again; what it missed is dealt with as its definition says."
    case .backfill:
      fields["sure"] == nil
        ? "First it is only shown what would be fired." : "Each of these occurrences is fired once."
    }
  }

  /// What stands on the button.
  var button: String {
    switch kind {
    case .retry, .retryDead: "Retry"
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

  /// Whether nobody can undo it.
  var isGrave: Bool { [.cancel, .discard, .discardDead].contains(kind) }

  /// Where it goes on.
  var back: Link {
    switch kind {
    case .retry, .cancel, .payload: Link("runs", fields["run"] ?? "")
    // Its own page is gone with it.
    case .discard: Link("runs", asking: ["state": "dead"])
    case .retryDead, .discardDead: Link("dead")
    case .pauseSchedule, .resumeSchedule, .backfill: SchedulesPage.link(to: schedule)
    default: Link("jobs", job)
    }
  }
}

extension Link {
  /// The same with one more thing asked.
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
