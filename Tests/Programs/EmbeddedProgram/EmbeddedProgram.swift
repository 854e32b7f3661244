#if HTTP
  import BatonJobs
  import BatonPostgres
  import Foundation
  import Hummingbird
  import JobRunner
  import Logging

  /// A Hummingbird program that contains a worker.
  @main struct EmbeddedProgram {
    static func main() async throws {
      let environment = ProcessInfo.processInfo.environment
      guard let address = environment["DATABASE_URL"],
        let schema = environment["BATON_SCHEMA"].flatMap({ Schema($0) }),
        let port = environment["PORT"].flatMap({ Int($0) })
      else { return print("usage: DATABASE_URL=... BATON_SCHEMA=... PORT=... EmbeddedProgram") }
      try await serve(
        [RegisteredJob(Greet.self) { $0 }], on: ConnectionConfiguration(address: address),
        in: schema, port: port)
    }
  }

  /// Serves HTTP and executes runs until the process gets SIGTERM or SIGINT.
  func serve(
    _ jobs: [RegisteredJob], on configuration: ConnectionConfiguration, in schema: Schema,
    port: Int
  ) async throws {
    let logger = Logger(label: "greetings")
    let worker = Worker(jobs, on: configuration, schema: schema, logger: logger)
    let router = Router()
    router.get("health") { _, _ in "ok" }
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      services: [worker], logger: logger)
    try await application.runService()
  }

  /// Records a greeting for each run.
  struct Greet: BatchJob {
    static let definition = Definition<Self>("greet")

    static func run(_ batch: [Run<Self>], in transaction: Transaction) async throws {
      let greet = Statement(
        "embedded/greet", "insert into greeting select unnest($1::text[])")
      try await transaction.run(.run(greet, batch.map(\.key)))
    }
  }
#else
  /// A program without HTTP and without a worker.
  @main struct EmbeddedProgram {
    static func main() { print("The program was built without the trait HTTP.") }
  }
#endif
