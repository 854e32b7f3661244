import Foundation

/// The settings that override the settings in initdb's postgresql.conf.
struct ServerSettings: Sendable {
  /// The settings that the caller passed.
  let own: [(name: String, value: String)]
  let loopbackPort: Int?

  static let fileName = "private_server.conf"

  /// Settings for a small machine that the server shares with its clients.
  ///
  /// The durability settings are PostgreSQL's defaults (fsync, synchronous_commit,
  /// full_page_writes), so that measurements are realistic.
  private static let defaults: [(name: String, value: String)] = [
    ("cluster_name", "baton"),
    ("timezone", "UTC"),
    ("log_timezone", "UTC"),
    // JIT is off, because compiling a short statement takes longer than executing it.
    ("jit", "off"),
    // Containers have 64 MB of /dev/shm, which is too little for a parallel hash join. Baton's
    // workers on the same machine need the cores that a parallel query would use.
    ("max_parallel_workers_per_gather", "0"),
    ("log_checkpoints", "off"),
  ]

  /// Whether written data must survive a power failure.
  ///
  /// If the value is false, initdb does not wait for the disk. If initdb waited for the disk, a
  /// test that starts a server would spend most of its time on these waits.
  var isDurable: Bool { own.last { $0.name == "fsync" }?.value != "off" }

  /// Returns the text of the server's settings file.
  ///
  /// The settings for listening are last, so that no other setting can override them. The
  /// connection string is computed from the settings for listening.
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
