import Foundation

/// A server that accepts every login, reports a version and responds to nothing else.
///
/// The server simulates a PostgreSQL version that is too old. This part of the protocol does not
/// change between versions: https://www.postgresql.org/docs/15/protocol-flow.html.
package final class OldServer: Sendable {
  private let listener: Listener
  private let version: String

  /// Creates a server on the Unix socket that libpq uses in a folder.
  ///
  /// - Throws: `TestFailure` if listening on a port or a socket fails.
  package init(version: String, folder: String) throws {
    listener = try Listener(socket: folder + "/.s.PGSQL.5432")
    self.version = version
    Thread.detachNewThread { [self] in
      while let client = listener.accept() {
        greet(client)
        Thread.detachNewThread {
          // The call returns when the client has closed the connection.
          var byte: UInt8 = 0
          while read(client, &byte, 1) > 0 {}
          close(client)
        }
      }
    }
  }

  /// Stops listening.
  package func stop() { listener.close() }

  private func greet(_ client: Int32) {
    var length = [UInt8](repeating: 0, count: 4)
    guard recv(client, &length, 4, Int32(MSG_WAITALL)) == 4 else { return }
    let rest = length.reduce(0) { $0 << 8 | Int($1) } - 4
    var startup = [UInt8](repeating: 0, count: max(0, min(rest, 10_000)))
    guard recv(client, &startup, startup.count, Int32(MSG_WAITALL)) == rest else { return }
    let answer =
      message("R", number(0)) + parameter("server_version", version)
      + parameter("client_encoding", "UTF8") + message("K", number(1) + number(2))
      + message("Z", Array("I".utf8))
    _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
  }

  private func parameter(_ name: String, _ value: String) -> [UInt8] {
    message("S", Array(name.utf8) + [0] + Array(value.utf8) + [0])
  }

  private func message(_ type: Character, _ body: [UInt8]) -> [UInt8] {
    Array(String(type).utf8) + number(UInt32(body.count + 4)) + body
  }

  private func number(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
