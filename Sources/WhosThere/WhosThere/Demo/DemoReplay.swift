import BatonPostgres
import CheckIns
import Foundation
import JobRunner
import Presence
import PresencePostgres
import PresenceSQL

/// Replays real arrivals as commands from phones.
///
/// The clock moves from one command to the next.
struct DemoReplay {
  /// The number of commands with each outcome.
  struct Outcomes {
    var arrivals: [PresenceOutcome: Int] = [:]
    var departures = 0
  }

  /// A command, and the time when a phone sends it.
  private struct Event {
    let at: Date
    let user: String
    let command: PresenceCommand
  }

  private let visits: [DemoVisit]
  private let places: [String: DemoPlace]
  /// The end of the replay, which is the time when the number of present users is highest.
  let end: Date

  /// Creates a replay of the last days in the check-in file.
  ///
  /// The replay ends on the last day, at the time with the highest number of present users.
  init?(_ file: CheckInFile, days: Int) {
    guard let last = file.checkIns.map(\.instant).max() else { return nil }
    let day: Int64 = 86_400_000_000
    let from = (last / day - Int64(days) + 1) * day
    let lines = file.checkIns.filter { $0.instant >= from }.sorted {
      ($0.instant, $0.line) < ($1.instant, $1.line)
    }
    let all = lines.map { DemoVisit($0) }
    let firsts = Dictionary(lines.map { ($0.group.string, $0) }) { first, _ in first }
    places = Dictionary(
      uniqueKeysWithValues: firsts.keys.sorted().enumerated().compactMap { number, group in
        firsts[group].map { (group, DemoPlace(of: $0, number: number)) }
      })
    let lastDay = Date(timeIntervalSince1970: Double(last / day * day) / 1_000_000)
    let candidates = all.map(\.arrival).filter { $0 >= lastDay }
    guard let fullest = candidates.max(by: { all.present(at: $0) < all.present(at: $1) })
    else { return nil }
    end = fullest.addingTimeInterval(1)
    visits = all.filter { $0.arrival < fullest.addingTimeInterval(1) }
  }

  /// The numbers of groups and users in the replay.
  var counts: (groups: Int, people: Int) {
    (Set(visits.map(\.group)).count, Set(visits.map(\.user)).count)
  }

  /// Creates the groups and their members shortly before the first arrival.
  func found(on session: Session) async throws {
    let groups = Set(visits.map(\.group)).sorted().compactMap { places[$0] }
    var seen: Set<String> = []
    let people = visits.filter { seen.insert($0.user).inserted }
    try await session.atomically(
      .count(
        SQL.Demo.foundGroups, groups.map(\.group), groups.map(\.latitude), groups.map(\.longitude),
        groups.map(\.timeZone)),
      .count(SQL.Demo.makeUsers, people.map(\.user), people.map(\.user)),
      .count(SQL.Demo.joinGroups, people.map(\.user), people.map(\.group)))
  }

  /// The time of the first arrival.
  var begin: Date { visits.map(\.arrival).min() ?? end }

  /// Sends each command at the time of its event.
  ///
  /// Before the clock moves to a new hour, all due runs are executed.
  func run(
    as database: PresenceDatabase, moving clock: SteppedClock, from start: Timestamp,
    drain: () async throws -> Void, progress: (_ done: Int, _ all: Int) -> Void
  ) async throws -> Outcomes {
    var outcomes = Outcomes()
    let events = try events()
    var now = start
    for (number, event) in events.enumerated() {
      let at = Timestamp(at: event.at)
      if at.microseconds > now.microseconds {
        if at.hour != now.hour { try await drain() }
        try await clock.move(from: now, to: at)
        now = at
      }
      let answer = try await database.presences(for: event.user).send(event.command)
      if event.command.action == .checkOut {
        outcomes.departures += answer.outcome == .accepted ? 1 : 0
      } else {
        outcomes.arrivals[answer.outcome, default: 0] += 1
      }
      progress(number + 1, events.count)
    }
    try await drain()
    try await clock.move(from: now, to: Timestamp(at: end))
    try await drain()
    return outcomes
  }

  private func events() throws -> [Event] {
    var events: [Event] = []
    for visit in visits {
      guard let place = places[visit.group] else { continue }
      events.append(
        Event(at: visit.arrival, user: visit.user, command: try visit.checkIn(at: place)))
      if visit.departure < end, let command = try visit.checkOut() {
        events.append(Event(at: visit.departure, user: visit.user, command: command))
      }
    }
    return events.sorted { $0.at < $1.at }
  }
}

extension [DemoVisit] {
  /// Returns the number of users who are present at a given time.
  fileprivate func present(at instant: Date) -> Int {
    count { $0.arrival <= instant && instant < $0.departure }
  }
}

extension Timestamp {
  /// Creates the timestamp of a date, exact to the microsecond.
  init(at date: Date) {
    self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
  }

  fileprivate var hour: Int64 { microseconds / 3_600_000_000 }
}
