import Foundation
import JobRunner
import Logging
import Postgres

/// A worker like `baton worker --until-idle`, with a job of the tests' own.
@main struct CrashingWorker {
  static func main() async throws {
    // Nobody reads the cores of processes that are meant to crash.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    let environment = ProcessInfo.processInfo.environment
    guard let address = environment["DATABASE_URL"],
      let schema = environment["BATON_SCHEMA"].flatMap({ Schema($0) })
    else { fatalError("DATABASE_URL and BATON_SCHEMA are not set") }
    let configuration = ConnectionConfiguration(address: address)
    let job = RegisteredJob(CrashJob.self) { Effects(transaction: $0) }
    let connection = try await Connection.open(configuration)
    try await Queue(Session(connection, in: schema)).define([job])
    await connection.close()
    let worker = Worker(
      [job], on: configuration, schema: schema, options: .init(concurrency: 4),
      logger: Logger(label: "crashing-worker") { _ in SwiftLogNoOpLogHandler() })
    _ = try await worker.runUntilIdle()
  }
}
