import Baton
import BatonPostgres
import Logging

/// Reads for pages, on a few separate connections that are opened on demand.
///
/// The number of connections does not grow with the number of viewers. If all connections are in use, a reader waits
/// for one, and gets the error ``Late`` if that takes too long.
actor PageReader {
  /// The most connections at the same time.
  static let most = 4

  /// The page could not be read in time.
  struct Late: Error {}

  private let subject: HTTPSubject
  private let patience: Duration
  private var idle: [Connection] = []
  private var open = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameter patience: the longest time for a page, including the wait for a connection.
  init(_ subject: HTTPSubject, patience: Duration = .seconds(6)) {
    (self.subject, self.patience) = (subject, patience)
  }

  /// The result of `body`.
  ///
  /// - Throws: ``Late``, and the errors of opening a connection and of `body`.
  func read<R: Sendable>(
    _ body: @escaping @Sendable (Session) async throws -> R
  ) async throws -> R {
    let task = Task<Result<R, any Error>, Never> {
      do { return .success(try await self.readNow(body)) } catch { return .failure(error) }
    }
    guard let result = await task.value(within: patience) else {
      // This cancels the running statement, if there is one.
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
    // The caller has given up, so the connection goes to the next one.
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
    if await connection.isBroken {
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
