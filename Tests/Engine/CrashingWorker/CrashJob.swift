import BatonJobs
import BatonPostgres
import Foundation

/// A job that ends its process in the middle of a batch if a key requests that.
struct CrashJob: BatchJob {
  static let definition = Definition<Self>(
    "crash", on: [.event(Topic("crash.asked"))],
    debounce: .perKey(quiet: .milliseconds(20), atMost: .milliseconds(200)), batch: 10,
    retry: .attempts(6, exponentialFrom: .milliseconds(10), to: .milliseconds(200)),
    timeout: .seconds(10))

  static func run(_ batch: [Run<Self>], in context: Effects) async throws {
    try await context.write(batch.map(\.key))
    for run in batch { end(as: run.key) }
  }

  private static func end(as key: String) {
    switch key {
    case "trap": fatalError("the job traps")
    case "exit": exit(3)
    case "memory": exceedMemory()
    default: break
    }
  }

  /// Allocates more memory than the system grants, as a job with a leak does.
  private static func exceedMemory() -> Never {
    var limit = rlimit(rlim_cur: 256 << 20, rlim_max: 256 << 20)
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    var hoard: [[UInt8]] = []
    while true { hoard.append([UInt8](repeating: 1, count: 1 << 20)) }
  }
}

/// An effect job with the highest concurrency, whose run with the key `trap` ends the process.
struct CrashEffectJob: EffectJob {
  static let definition = Definition<Self>(
    "crash-effect", on: [.event(Topic("crash-effect.asked"))], concurrency: 1_000,
    timeout: .seconds(30))

  static func perform(_ run: Run<Self>, in box: PostBox) async throws {
    try box.append("\(run.key)\n")
    guard run.key == "trap" else { return try await Task.sleep(for: .milliseconds(100)) }
    // Other effects are in progress when the process ends.
    try await Task.sleep(for: .milliseconds(30))
    fatalError("the effect traps")
  }
}

/// The table that the job writes to in its transaction.
struct Effects: Sendable {
  let transaction: Transaction

  func write(_ keys: [String]) async throws {
    try await transaction.run(
      .run(
        Statement("test/write_effect", "insert into effect (key) select unnest($1::text[])"), keys))
  }
}
