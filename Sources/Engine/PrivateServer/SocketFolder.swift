import Foundation

/// The folder of the unix socket, and the address for clients.
struct SocketFolder: Sendable {
  let path: String

  /// Chooses a folder inside the server's folder, or a folder under /tmp if the path in the
  /// server's folder is unsuitable.
  ///
  /// A path is unsuitable if it exceeds the kernel's limit of 107 bytes for sockets. A path with a
  /// comma is also unsuitable, because a comma separates hosts in libpq.
  init(server: String) {
    let inside = server + "/socket"
    let longest = inside.utf8.count + "/.s.PGSQL.65535".utf8.count
    path =
      longest <= 107 && !inside.utf8.contains(UInt8(ascii: ","))
      ? inside : "/tmp/baton-" + Self.name(of: server)
  }

  /// Returns a name that depends only on the path, unlike a hash from `Hasher`, which differs
  /// between processes.
  ///
  /// The name is the path's 64-bit FNV-1a hash.
  private static func name(of path: String) -> String {
    let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  func connectionString(port: Int) -> String {
    "postgresql://postgres@/postgres?host=\(percentEncoded)&port=\(port)"
  }

  private var percentEncoded: String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }

  /// Recreates the folder for a server that is about to start.
  ///
  /// A killed server leaves a lock file for its socket, and the lock file contains a process id. If
  /// the process id in the lock file belongs to another process, PostgreSQL refuses to start.
  func prepare(for account: ServerAccount) throws(PrivateServerError) {
    try removeIfPresent(path)
    // The server trusts every user who can access the socket (`trust`), so the folder has mode
    // 0700. `mkdir` fails if another user has just created something at this path, for example a
    // symbolic link.
    guard mkdir(path, 0o700) == 0 else { throw .system("Cannot make the socket's folder", path) }
    try account.own(path)
  }
}
