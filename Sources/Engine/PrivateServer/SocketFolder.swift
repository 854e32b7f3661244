import Foundation

/// The folder of the unix socket, and how a client finds it.
struct SocketFolder: Sendable {
  let path: String

  /// Inside the server's folder; under /tmp where the path would not do.
  ///
  /// The kernel takes 107 bytes for a socket's path, and libpq takes a comma as the start of
  /// another host.
  init(server: String) {
    let inside = server + "/socket"
    let longest = inside.utf8.count + "/.s.PGSQL.65535".utf8.count
    path =
      longest <= 107 && !inside.utf8.contains(UInt8(ascii: ","))
      ? inside : "/tmp/baton-" + Self.name(of: server)
  }

  /// FNV-1a, 64 bits: the same name for the same path in every process, which `Hasher` does not
  /// give.
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

  /// Makes it anew for a server that is about to start.
  ///
  /// Sockets of a killed server name its process id; that number may be another process by now,
  /// and PostgreSQL would refuse to start beside it.
  func prepare(for account: ServerAccount) throws(PrivateServerError) {
    try removeIfPresent(path)
    // Everybody who can reach the socket is superuser there (trust), hence 0700. `mkdir` fails on
    // whatever another user may have put there in the meantime, a symbolic link too.
    guard mkdir(path, 0o700) == 0 else { throw .system("Cannot make the socket's folder", path) }
    try account.own(path)
  }
}
