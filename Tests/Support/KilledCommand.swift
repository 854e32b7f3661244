import Foundation
import Synchronization

/// A command of the executable behind a proxy that kills it at one of its messages.
package struct KilledCommand: Sendable {
  /// How one life of it ended.
  package struct Life: Sendable {
    /// The statement at which it was killed; nil where it ended by itself.
    package let killedAt: String?
    /// The statements that were counted, in order.
    package let heard: [String]
  }

  private let arguments: [String]
  private let schema: TestSchema
  private let proxy: FaultProxy

  /// A command for a test's schema.
  ///
  /// - Throws: `PostgresError`, `TestFailure`.
  package init(_ arguments: String..., in schema: TestSchema) async throws {
    try await LoopbackLogin.make()
    self.arguments = arguments
    self.schema = schema
    proxy = try FaultProxy(before: TestServer.loopbackPort)
  }

  /// Ends the proxy.
  package func close() { proxy.close() }

  /// Runs it and kills it at the n-th message of all its connections.
  ///
  /// - Parameter statement: counts those of one statement; nil: all.
  /// - Throws: `TestFailure` where it ends by itself with an error, or not at all.
  package func run(
    killedAt number: Int = .max, _ side: MessageCounter.Side, of statement: String? = nil
  ) async throws -> Life {
    let victim = Victim()
    let counter = MessageCounter(side, number: number, of: statement) { victim.kill() }
    proxy.count(with: counter)
    var gymrats = schema.gymrats
    gymrats.environment["DATABASE_URL"] = proxy.address(of: schema)
    let process = try gymrats.start(arguments)
    victim.process = process
    let ended = try await process.wait(within: .seconds(60))
    guard ended.status == 0 || ended.status == 128 + SIGKILL && counter.hit != nil else {
      throw TestFailure("\(arguments) ended with \(ended.status): \(ended.errors)")
    }
    return Life(killedAt: ended.status == 0 ? nil : counter.hit, heard: counter.heard)
  }

  /// The numbers of messages at which a command is killed: every one where `BATON_EVERY_KILL_POINT` is
  /// set, else so many, evenly spread.
  package static func points(of total: Int, most: Int) -> [Int] {
    let isEvery = ProcessInfo.processInfo.environment["BATON_EVERY_KILL_POINT"] == "1"
    guard !isEvery, total > most else { return Array(1...max(total, 1)) }
    return (0..<most).map { 1 + $0 * (total - 1) / (most - 1) }
  }
}

/// A process that is killed from a thread of a proxy.
private final class Victim: Sendable {
  private let started = Mutex<TestProcess?>(nil)

  var process: TestProcess? {
    get { started.withLock { $0 } }
    set { started.withLock { $0 = newValue } }
  }

  /// Returns when it is dead: nothing that it says later can have been said in time.
  func kill() {
    while true {
      if let process {
        process.signal(SIGKILL)
        guard process.isRunning else { return }
      }
      usleep(500)
    }
  }
}
