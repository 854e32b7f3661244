import Baton
import BatonPostgres
import Logging

/// Reads the data of pages on a few shared connections, which are opened on demand.
///
/// The number of connections does not grow with the number of viewers. If all connections are in
/// use, a reader waits for a free connection. After a time limit, the reader gets the ``Late``
/// error.
actor PageReader {
  /// The maximum number of concurrent connections.
  static let most = 4

  /// The error for a page that could not be read in time.
  struct Late: Error {}

  private let subject: HTTPSubject
  private let patience: Duration
  private var idle: [Connection] = []
  private var open = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a reader without connections.
  ///
  /// - Parameter patience: the maximum time for a page, including the wait for a connection.
  init(_ subject: HTTPSubject, patience: Duration = .seconds(6)) {
    (self.subject, self.patience) = (subject, patience)
  }

  /// Executes `body` with a session and returns its result.
  ///
  /// - Throws: ``Late``, an error from opening a connection, or any error that `body` throws.
  func read<R: Sendable>(
    _ body: @escaping @Sendable (Session) async throws -> R
  ) async throws -> R {
    let task = Task<Result<R, any Error>, Never> {
      do { return .success(try await self.readNow(body)) } catch { return .failure(error) }
    }
    guard let result = await task.value(within: patience) else {
      // Cancelling the task also cancels its running statement.
      task.cancel()
      throw Late()
    }
    return try result.get()
  }

  private func readNow<R: Sendable>(
    _ body: @Sendable (Session) async throws -> R
  ) async throws -> R {
    while open >= Self.most, idle.isEmpty {
      await withCheckedContinuation { waiting.append($0) }
    }
    // A cancelled caller does not use the connection, so the next waiting caller gets it.
    guard !Task.isCancelled else {
      wakeNext()
      throw Late()
    }
    let connection = try await taken()
    do {
      let result = try await body(Session(connection, in: subject.schema))
      await give(connection)
      return result
    } catch {
      await give(connection)
      throw error
    }
  }

  private func taken() async throws -> Connection {
    if let connection = idle.popLast() { return connection }
    open += 1
    do {
      return try await Connection.open(subject.configuration)
    } catch {
      open -= 1
      wakeNext()
      throw error
    }
  }

  private func give(_ connection: Connection) async {
    if connection.isBroken {
      open -= 1
      await connection.close()
    } else {
      idle.append(connection)
    }
    wakeNext()
  }

  private func wakeNext() {
    if !waiting.isEmpty { waiting.removeFirst().resume() }
  }

  /// Closes the idle connections.
  func close() async {
    let connections = idle
    idle = []
    open -= connections.count
    for connection in connections { await connection.close() }
  }
}
