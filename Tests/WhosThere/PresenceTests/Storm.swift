import BatonPostgres
import Foundation
import JobTesting
import Presence
import PresencePostgres
import PresenceTesting
import Synchronization
import TestSupport

/// The load on a database of Who's There: phones, a leaping clock, a task that kills workers, and
/// one that kills connections.
struct Storm: Sendable {
  /// An answered command, as stored in the database.
  struct Answered: Sendable {
    let user: String
    let command: PresenceCommand
    let outcome: String
    let at: Date
  }

  /// The numbers of kills, by kind.
  struct Kills: Sendable {
    var workers = 0
    var connections = 0
  }

  let places: Places
  let program: BatonProgram
  /// The address that phones use.
  let address: String
  let randomness: Randomness
  /// The current time according to the phones.
  let clock = ManualClock(at: Date(timeIntervalSince1970: 1_717_588_800))
  private let commands = StormCommands()
  private let gate = StormGate()

  init(places: Places, program: BatonProgram, address: String, randomness: Randomness) {
    self.places = places
    self.program = program
    self.address = address
    self.randomness = randomness
  }

  func prepare(users: [String], groups: [String: String]) async throws {
    try await program.succeed("migrate")
    try await leap(by: 0)
    for user in users {
      try await places.sql(
        "insert into users (id, display_name, is_anonymous) values ('\(user)', '\(user)', false)")
    }
    for (group, zone) in groups.sorted(by: { $0.key < $1.key }) {
      try await places.call(
        "create_group('\(users[0])', '\(group)', 'Group', \(Places.park), '\(zone)', true)")
      for user in users.dropFirst() {
        try await places.call("join_public_group('\(user)', '\(group)')")
      }
    }
    // Commands of a user and group take turns at a row. During its turn, each command gets its
    // number.
    try await places.sql(
      "alter table presence_command add number bigint generated always as identity")
  }

  /// Lets each phone send a number of commands, and returns the number of kills during that time.
  func rage(
    phones: Int, commandsEach: Int, users: [String], groups: [String]
  ) async throws -> Kills {
    let isOver = Mutex(false)
    let over: @Sendable () -> Bool = { isOver.withLock { $0 } }
    async let workers = killWorkers(until: over)
    async let connections = killConnections(until: over)
    async let leaps: Void = leap(until: over)
    let phoned: Result<Void, any Error>
    do {
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for phone in 0..<phones {
          tasks.addTask { try await send(commandsEach, of: users, to: groups, phone: phone) }
        }
        try await tasks.waitForAll()
      }
      phoned = .success(())
    } catch {
      phoned = .failure(error)
    }
    isOver.withLock { $0 = true }
    let kills = Kills(workers: try await workers, connections: try await connections)
    try await leaps
    try phoned.get()
    return kills
  }

  /// Lets an hour pass, and processes the remaining runs.
  func calmDown() async throws {
    try await leap(by: 3_600)
    try await places.sql("update worker set heartbeat_at = now() - interval '1 min'")
    try await places.sql("select enqueue('end-stale-presences', 'scheduled')")
    try await program.succeed("worker", "--until-idle")
  }

  func now() async throws -> Date {
    let text = try await places.sql("select iso_text(domain_now(), '.US')")
    guard let now = InstantText.date(text[0]) else { throw TestFailure("no time: \(text)") }
    return now
  }

  /// Returns every command in the order of execution.
  func answered() async throws -> [Answered] {
    try await places.sql(
      """
      select concat_ws(' ', id, outcome, iso_text(answered_at, '.US')) from presence_command order by number
      """
    ).map { line in
      let fields = line.split(separator: " ").map(String.init)
      guard let id = UUID(uuidString: fields[0]), let sent = commands[id],
        let at = InstantText.date(fields[2])
      else { throw TestFailure("nobody sent \(line)") }
      return Answered(user: sent.user, command: sent.command, outcome: fields[1], at: at)
    }
  }

  // MARK: Who takes part

  private func send(
    _ count: Int, of users: [String], to groups: [String], phone: Int
  ) async throws {
    var dice = SeededGenerator(seed: randomness.seed &+ UInt64(phone))
    // Each phone has its own connection, which may be killed.
    let configuration = ConnectionConfiguration(address: address, applicationName: "storm")
    let database = PresenceDatabase(configuration, schema: places.test.schema)
    for _ in 0..<count {
      let sent: StormCommands.Sent
      if Int.random(in: 0..<4, using: &dice) == 0, let known = commands.any(using: &dice) {
        sent = known
      } else {
        sent = StormCommands.Sent(
          user: users.randomElement(using: &dice) ?? users[0],
          command: try command(to: groups, using: &dice))
        commands.add(sent)
      }
      try await Task.sleep(for: .milliseconds(.random(in: 0...30, using: &dice)))
      // A command that began before a leap and continues after it has a time that no order of
      // commands can explain.
      try await gate.pass {
        _ = try await database.presences(for: sent.user).send(sent.command)
      }
    }
    await database.close()
  }

  private func command(
    to groups: [String], using dice: inout SeededGenerator
  ) throws -> PresenceCommand {
    let isIn = Int.random(in: 0..<5, using: &dice) < 3
    let isByHand = Bool.random(using: &dice)
    let accuracy = Int.random(in: 0..<8, using: &dice) == 0 ? 500.0 : 20
    let position = try ClaimedPosition(
      coordinate: .at(52.5, 13.4), accuracy: accuracy, at: clock.now)
    return try PresenceCommand(
      groupId: groups.randomElement(using: &dice) ?? groups[0], action: isIn ? .checkIn : .checkOut,
      source: isByHand ? .manual : .automatic,
      device: Bool.random(using: &dice) ? .phone : .watch, at: clock.now,
      position: isIn && !isByHand ? position : nil,
      stay: isIn && Bool.random(using: &dice) ? .random(in: 1...900, using: &dice) : nil)
  }

  private func leap(until isOver: @Sendable () -> Bool) async throws {
    var dice = SeededGenerator(seed: randomness.seed &+ 100)
    while !isOver() {
      // The clock rarely leaps over a night, after which silent users count as gone.
      let isNight = Int.random(in: 0..<12, using: &dice) == 0
      let seconds = isNight ? 46_800 : Int.random(in: 1...60, using: &dice)
      try await gate.close { try await leap(by: seconds) }
      try await Task.sleep(for: .milliseconds(40))
    }
  }

  private func leap(by seconds: Int) async throws {
    let target = clock.now.addingTimeInterval(TimeInterval(seconds))
    guard let text = InstantText.text(of: target) else { throw TestFailure("\(target)") }
    try await places.test.setClock(to: text)
    clock.move(to: target)
  }

  private func killWorkers(until isOver: @Sendable () -> Bool) async throws -> Int {
    var dice = SeededGenerator(seed: randomness.seed &+ 101)
    var kills = 0
    while !isOver() {
      let worker = try program.start("worker")
      try await Task.sleep(for: .milliseconds(.random(in: 150...450, using: &dice)))
      worker.signal(SIGKILL)
      _ = try await worker.wait(within: .seconds(10))
      kills += 1
    }
    return kills
  }

  private func killConnections(until isOver: @Sendable () -> Bool) async throws -> Int {
    var kills = 0
    while !isOver() {
      kills += try await places.sql(
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'storm' and datname = current_database() order by random() limit 1
        """
      ).count
      try await Task.sleep(for: .milliseconds(120))
    }
    return kills
  }
}
