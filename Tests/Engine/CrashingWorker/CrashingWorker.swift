import BatonPostgres
import Foundation
import JobRunner
import Logging

/// A worker like `gymrats worker --until-idle`, with one of the jobs of the tests' own.
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
    let folder = environment["POST_OFFICE"]
    let isMetered = environment["METERED"] != nil
    let job =
      if isMetered {
        RegisteredJob(MeteredJob.self) { (transaction: Transaction) in
          Effects(transaction: transaction)
        }
      } else if let folder {
        RegisteredJob(PostJob.self) { _ in PostOffice(folder: folder) }
      } else {
        RegisteredJob(CrashJob.self) { (transaction: Transaction) in
          Effects(transaction: transaction)
        }
      }
    let connection = try await Connection.open(configuration)
    try await Queue(Session(connection, in: schema)).define([job])
    await connection.close()
    let worker = Worker(
      [job], on: configuration, schema: schema, options: .init(concurrency: 4),
      logger: Logger(label: "crashing-worker") { _ in SwiftLogNoOpLogHandler() })
    if folder == nil, !isMetered {
      _ = try await worker.runUntilIdle()
    } else {
      try await worker.run()
    }
  }
}
