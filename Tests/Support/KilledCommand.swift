import Foundation
import Synchronization

/// A command whose connections use a proxy.
///
/// The proxy kills the command at one of the command's messages.
package struct KilledCommand: Sendable {
  /// The result of one execution of the command.
  package struct Life: Sendable {
    /// The statement at which the command was killed, or nil if the command ended by itself.
    package let killedAt: String?
    /// The counted statements, in the order of execution.
    package let heard: [String]
  }

  private let arguments: [String]
  private let schema: TestSchema
  private let proxy: FaultProxy

  /// Creates a command for a test's schema.
  ///
  /// - Throws: `PostgresError` or `TestFailure`.
  package init(_ arguments: String..., in schema: TestSchema) async throws {
    try await LoopbackLogin.make()
    self.arguments = arguments
    self.schema = schema
    proxy = try FaultProxy(before: TestServer.loopbackPort)
  }

  /// Closes the proxy.
  package func close() { proxy.close() }

  /// Runs the command, and kills the command at the message with the given number, counted over all
  /// connections.
  ///
  /// - Parameter statement: the statement whose messages are counted, or nil to count all messages.
  /// - Throws: `TestFailure` if the command ends by itself with an error, or does not end.
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

  /// Returns the numbers of messages at which a command is killed.
  ///
  /// If `BATON_EVERY_KILL_POINT` is set, all numbers are returned. Otherwise, at most `most` evenly
  /// spread numbers are returned.
  package static func points(of total: Int, most: Int) -> [Int] {
    let isEvery = ProcessInfo.processInfo.environment["BATON_EVERY_KILL_POINT"] == "1"
    guard !isEvery, total > most else { return Array(1...max(total, 1)) }
    return (0..<most).map { 1 + $0 * (total - 1) / (most - 1) }
  }
}

/// A process that a thread of a proxy kills.
private final class Victim: Sendable {
  private let started = Mutex<TestProcess?>(nil)

  var process: TestProcess? {
    get { started.withLock { $0 } }
    set { started.withLock { $0 = newValue } }
  }

  /// Kills the process, and returns after the process has ended.
  ///
  /// The process therefore sends no messages after the call.
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
