import BatonJobs
import BatonPostgres
import Bench
import ChallengesSQL
import Foundation
import JobRunner
import Synchronization

/// The `footprint` benchmark, which measures the storage and the worker time per workout, per
/// member, and per week of a member.
///
/// The numbers of bytes and rows hardly depend on the machine, so docs/internals/capacity.md uses
/// the benchmark's results. Every call is a separate transaction, like a call from a phone. No
/// checkpoint runs during the measurement. After a checkpoint, PostgreSQL would write full pages to
/// the WAL, which would increase the measured number of bytes.
struct FootprintCase: BenchCase {
  let name = "footprint"
  let unit = "B/workout"
  let hasRawSide = false
  private static let groups = BenchSize(
    "footprint-groups", 200, quick: 8, "groups of ten whose footprint is measured")
  private static let membersPerGroup = 10
  /// The number of workouts per member in the measured week.
  ///
  /// A member's first workout creates entries, and each later one updates them.
  private static let workouts = 4
  private let found = Notes()

  private func groups(_ options: BenchOptions) -> Int { max(1, options[Self.groups]) }
  private func members(_ options: BenchOptions) -> Int {
    groups(options) * Self.membersPerGroup
  }

  func pairs(_ options: BenchOptions) -> Int { 1 }

  var sizes: [BenchSize] { [Self.groups] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(groups(options), "group")) of ten that join by invite, "
      + "\(Self.workouts) workouts of each member, and a week of as many groups that is closed"
  }

  func prepare(_ stage: BenchStage) async throws {
    try await stage.define(stage.jobs)
    // `makeClosingWeek` creates boards for all existing groups, so it must run before `join`
    // creates groups.
    _ = try await stage.run(.count(SQL.Bench.setSize, Int64(groups(stage.options)), 0 as Int64))
    try await stage.script(SQL.Bench.makeClosingWeek)
    _ = try await stage.run(.count(SQL.Bench.makeUsers, Int64(members(stage.options))))
    _ = try await stage.worker().runUntilIdle()
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let members = Double(members(stage.options))
    let workouts = members * Double(Self.workouts)
    var closing = Work()
    let week = try await Footprint.of(stage) {
      try await closing.add(stage) {
        _ = try await StepClock("close-week", of: stage).work()
      }
    }
    let member = try await Footprint.of(stage) { try await join(stage) }
    var ranking = Work()
    let workout = try await Footprint.of(stage) { ranking = try await write(stage) }
    let notes =
      workout.notes("workout", of: workouts) + ranking.notes("rank", of: workouts)
      + member.notes("member", of: members)
      + week.notes("week", of: members) + [closing.time("close", of: members)]
    found.keep(notes)
    return workout.wal / workouts
  }

  func notes(_ stage: BenchStage) async throws -> [BenchNote] { found.all }
}

// MARK: What is measured

extension FootprintCase {
  /// Creates groups and invites, and lets users join groups, with the SQL functions that an API
  /// calls.
  private func join(_ stage: BenchStage) async throws {
    for group in 0..<groups(stage.options) {
      let id = "footprint-\(group)"
      let people = (1...Self.membersPerGroup).map { "walker-\(group * Self.membersPerGroup + $0)" }
      let token = String(format: "%032x", group)
      _ = try await stage.run(.count(SQL.Api.createGroup, people[0], id, "Group \(group)"))
      _ = try await stage.run(.count(SQL.Api.createInvite, people[0], id, token))
      for person in people.dropFirst() {
        _ = try await stage.run(.count(SQL.Api.joinGroup, person, token))
      }
    }
  }

  /// Records one workout per member in each round, computes ranks after each round, and notifies
  /// members after the last round.
  private func write(_ stage: BenchStage) async throws -> Work {
    var ranking = Work()
    for turn in 1...Self.workouts {
      for member in 1...members(stage.options) {
        let call = Call.count(SQL.Demo.recordNow, "walker-\(member)", "workout-\(turn)")
        _ = try await stage.run(call)
      }
      try await ranking.add(stage) { _ = try await stage.worker().runUntilIdle() }
    }
    try await ranking.add(stage) {
      _ = try await StepClock("notify-rank-changes", of: stage).work()
    }
    return ranking
  }
}

/// The measured values, stored until the report is written.
private final class Notes: Sendable {
  private let notes = Mutex<[BenchNote]>([])

  var all: [BenchNote] { notes.withLock { $0 } }

  func keep(_ found: [BenchNote]) { notes.withLock { $0 = found } }
}

/// The numbers of bytes and rows that the server has written and stored.
private struct Footprint {
  /// The number of bytes in the WAL, including the bytes that the worker wrote.
  var wal: Double
  var rows: Double
  var bytes: Double

  /// Returns the numbers of bytes and rows that `work` adds.
  static func of(_ stage: BenchStage, _ work: () async throws -> Void) async throws -> Footprint {
    try await stage.vacuum()
    let before = try await read(stage)
    try await work()
    let written = try await read(stage).wal - before.wal
    try await stage.vacuum()
    let after = try await read(stage)
    return Footprint(
      wal: written, rows: after.rows - before.rows, bytes: after.bytes - before.bytes)
  }

  static func read(_ stage: BenchStage) async throws -> Footprint {
    let measure = Call.row(SQL.Bench.measureFootprint) { (row) throws(PostgresError) in
      let (wal, rows, bytes) = try row.decode(Int64.self, Int64.self, Int64.self)
      return Footprint(wal: Double(wal), rows: Double(rows), bytes: Double(bytes))
    }
    return try await stage.run(measure)
  }

  func notes(_ name: String, of count: Double) -> [BenchNote] {
    [
      BenchNote(name: "\(name)_wal_bytes", value: wal / count),
      BenchNote(name: "\(name)_rows", value: rows / count),
      BenchNote(name: "\(name)_bytes", value: bytes / count),
    ]
  }
}

/// The number of bytes that a worker wrote, and how long it used one connection.
private struct Work {
  private var wal = 0.0
  private var elapsed = Duration.zero

  mutating func add(_ stage: BenchStage, _ work: () async throws -> Void) async throws {
    let before = try await Footprint.read(stage).wal
    let start = ContinuousClock.now
    try await work()
    elapsed += start.duration(to: .now)
    wal += try await Footprint.read(stage).wal - before
  }

  func notes(_ name: String, of count: Double) -> [BenchNote] {
    [BenchNote(name: "\(name)_wal_bytes", value: wal / count), time(name, of: count)]
  }

  func time(_ name: String, of count: Double) -> BenchNote {
    BenchNote(name: "\(name)_us", value: elapsed / .microseconds(1) / count)
  }
}
