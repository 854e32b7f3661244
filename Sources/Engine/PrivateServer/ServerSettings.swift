import Foundation

/// The lines that go over initdb's postgresql.conf.
struct ServerSettings: Sendable {
  /// What the caller asks for.
  let own: [(name: String, value: String)]
  let loopbackPort: Int?

  static let fileName = "private_server.conf"

  /// For a small machine that the server shares with those who use it.
  ///
  /// Durability is PostgreSQL's own (fsync, synchronous_commit, full_page_writes): figures measured
  /// here are real ones.
  private static let defaults: [(name: String, value: String)] = [
    ("cluster_name", "baton"),
    ("timezone", "UTC"),
    ("log_timezone", "UTC"),
    // Statements here are short: compiling one takes longer than running it.
    ("jit", "off"),
    // Containers have 64 MB of /dev/shm, where a parallel hash join fails; and workers that run
    // beside the server need the second core more.
    ("max_parallel_workers_per_gather", "0"),
    ("log_checkpoints", "off"),
  ]

  /// Whether the caller wants what it writes to survive a power failure.
  ///
  /// Where it gave that up, making the data folder need not wait for the disk either: most of the
  /// time of a test that starts a server.
  var isDurable: Bool { own.last { $0.name == "fsync" }?.value != "off" }

  /// The file's text.
  ///
  /// Where the server listens comes last: it must not be overridden, because the connection string
  /// is made from it.
  func text(sockets: String) throws(PrivateServerError) -> String {
    let listening: [(name: String, value: String)] = [
      ("listen_addresses", loopbackPort == nil ? "" : "127.0.0.1"),
      ("port", "\(loopbackPort ?? 5432)"),
      ("unix_socket_permissions", "0700"),
      ("unix_socket_directories", "\"\(sockets.replacing("\"", with: "\"\""))\""),
    ]
    var text = "# Written by each `up`; changes made here are lost.\n"
    for (name, value) in Self.defaults + own + listening {
      guard Self.isName(name) else {
        throw PrivateServerError(
          "\"\(name)\" is not the name of a setting.", where: "the settings of the private server",
          next: "Use letters, digits, underscores and dots, as in `select name from pg_settings`.")
      }
      text += "\(name) = '\(Self.escaped(value))'\n"
    }
    return text
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("'", with: "''").replacing("\n", with: "\\n")
  }
}
