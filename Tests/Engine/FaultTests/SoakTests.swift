import BatonPostgres
import Foundation
import TestSupport
import Testing

/// The resources of a worker process must not grow with the connections that it loses.
///
/// `BATON_SOAK_SECONDS` is the duration of the measurement in seconds. The default is 3.
@Suite(.timeLimit(.minutes(30)))
struct SoakTests {
  @Test(.sampled())
  func `memory and descriptors stay flat while connections are lost every second`()
    async throws
  {
    let seconds = parameter("BATON_SOAK_SECONDS", default: 3)
    let random = Randomness()
    try await TestSchema.with { schema in
      let load = WorkoutLoad(schema: schema)
      try await load.join()
      let name = schema.name
      let worker = try BatonProgram(environment: [
        // With this setting, a test without root rights can count the descriptors of the process.
        "BATON_CORE_DUMPS": "1", "BATON_SCHEMA": schema.schema.name,
        "DATABASE_URL": schema.configuration.address + "&application_name=\(name)",
      ]).start("worker")
      defer { worker.signal(SIGKILL) }
      let workouts = try await withThrowingTaskGroup(of: Int.self) { group in
        let isOver = Flag()
        // A short test leaves some capacity of the machine to other tests.
        let pause = Duration.milliseconds(seconds < 120 ? 20 : 5)
        group.addTask {
          try await load.record(writers: 2, random, pause: pause) { isOver.isSet }
        }
        defer { isOver.set() }
        // A worker whose first connection is ended prints an error and exits.
        try await eventually("the worker") {
          try await schema.sql("select count(*) from worker") == ["1"]
        }
        // Every path is executed a few times before the measurement.
        _ = try await loseConnections(of: name, schema, for: .seconds(seconds < 20 ? 2 : 5))
        let before = try await Usage(of: worker)
        var slope = Slope()
        var lost = 0
        // Reads the usage twenty times, because one reading is not sufficient: memory grows and
        // shrinks by pages.
        while slope.seconds < Double(seconds) || lost < seconds {
          lost += try await loseConnections(
            of: name, schema, for: .milliseconds(max(1_000, 50 * seconds)))
          slope.add(Double(try Usage(reading: worker.id).kilobytes))
        }
        let after = try await Usage(of: worker)
        print(
          """
          \(seconds) s, \(lost) connections lost: before \(before), after \(after), \
          \(Int(slope.perMinute)) kB a minute
          """)
        #expect(lost >= seconds)
        // On a busy machine, a connection of the worker may still be closed during the first reading, and the
        // number of threads varies by a few. A leak would add one for each lost connection.
        #expect(after.descriptors <= before.descriptors + 4)
        #expect(after.threads <= before.threads + 4)
        // A leak of 1 kB for each connection would be 180 kB a minute. In a short test, the allocator still fills its
        // pages, so a short test only notices a leak of 30 kB for each connection.
        if seconds >= 20 {
          #expect(slope.perMinute < (seconds < 120 ? 6_000 : 100), "\(slope.values)")
        }
        isOver.set()
        return try await group.reduce(0, +)
      }
      worker.signal(SIGTERM)
      #expect(try await worker.wait(within: .seconds(30)).status == 0)
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await load.expectBoards(of: workouts)
    }
  }

  /// Ends every server process of a worker once a second, and returns the number of ended
  /// processes.
  private func loseConnections(
    of name: String, _ schema: TestSchema, for time: Duration
  ) async throws -> Int {
    var lost = 0
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {
      lost += try await schema.sql(
        """
        select pg_terminate_backend(pid) from pg_stat_activity where application_name = '\(name)'
        """
      ).count
      try await Task.sleep(for: .seconds(1))
    }
    return lost
  }
}

/// The resources of a process.
private struct Usage: CustomStringConvertible {
  let descriptors: Int
  let threads: Int
  let kilobytes: Int

  /// Reads the resources while the process is idle, because a connection that is being replaced
  /// counts twice.
  init(of process: TestProcess) async throws {
    var least = try Usage(reading: process.id)
    for _ in 0..<20 {
      try await Task.sleep(for: .milliseconds(50))
      let now = try Usage(reading: process.id)
      least = Usage(
        min(least.descriptors, now.descriptors), min(least.threads, now.threads),
        min(least.kilobytes, now.kilobytes))
    }
    self = least
  }

  private init(_ descriptors: Int, _ threads: Int, _ kilobytes: Int) {
    self.descriptors = descriptors
    self.threads = threads
    self.kilobytes = kilobytes
  }

  init(reading id: Int32) throws {
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    func number(_ name: String) throws -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
      let digits = line?.filter(\.isNumber) ?? ""
      return try #require(Int(digits))
    }
    threads = try number("Threads:")
    kilobytes = try number("VmRSS:")
  }

  var description: String { "\(descriptors) descriptors, \(threads) threads, \(kilobytes) kB" }
}

/// The slope of a line through the readings, computed with least squares.
private struct Slope {
  private let began = ContinuousClock.now
  private(set) var values: [(seconds: Double, value: Double)] = []

  var seconds: Double { began.duration(to: .now) / .seconds(1) }

  mutating func add(_ value: Double) { values.append((seconds, value)) }

  var perMinute: Double {
    let count = Double(values.count)
    let meanTime = values.map(\.seconds).reduce(0, +) / count
    let meanValue = values.map(\.value).reduce(0, +) / count
    let spread = values.map { ($0.seconds - meanTime) * ($0.seconds - meanTime) }.reduce(0, +)
    let joint = values.map { ($0.seconds - meanTime) * ($0.value - meanValue) }.reduce(0, +)
    return spread > 0 ? joint / spread * 60 : 0
  }
}
