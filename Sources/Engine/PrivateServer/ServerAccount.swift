import Foundation

/// The system user that runs the server's processes.
///
/// PostgreSQL refuses to run as root. If the caller is root, the server runs as another user, who
/// cannot access a folder in /root. The caller therefore opens the server's folder as root, and the
/// server inherits the folder's file descriptor 4. The server uses the path `/proc/self/fd/4`,
/// which needs no permission on the parent folders. Two alternatives to this design were rejected:
/// - Rejected alternative: setpriv gives the server the CAP_DAC_READ_SEARCH capability. Docker does
///   not grant CAP_DAC_READ_SEARCH. Docker grants CAP_DAC_OVERRIDE, but with CAP_DAC_OVERRIDE, SQL
///   could overwrite any file on the machine.
/// - Rejected alternative: the data is under /var/lib, and the server's folder contains only a
///   link. If a user removed the server's folder, the data under /var/lib would remain, and the
///   server would continue to run.
struct ServerAccount {
  let user: uid_t
  let group: gid_t
  /// Whether the server runs as a different user than the caller.
  ///
  /// The value is true if the caller is root.
  let isAnother: Bool

  static let folderDescriptor: Int32 = 4

  /// Determines the account that runs the server's processes.
  ///
  /// If the caller is not root, the server runs with the caller's account. If the caller is root
  /// and the data belongs to another user, the server runs as this user. Otherwise, the server runs
  /// as `postgres`. If the machine has no `postgres` user, the server runs as `nobody`.
  init(data: String) throws(PrivateServerError) {
    guard geteuid() == 0 else {
      (user, group, isAnother) = (geteuid(), getegid(), false)
      return
    }
    var information = stat()
    if stat(data, &information) == 0, information.st_uid != 0 {
      (user, group, isAnother) = (information.st_uid, information.st_gid, true)
      return
    }
    guard let found = Self.find("postgres") ?? Self.find("nobody") else {
      throw PrivateServerError(
        "PostgreSQL does not run as root, and neither user `postgres` nor `nobody` is there.",
        where: "/etc/passwd", next: "Add one: useradd --system postgres")
    }
    (user, group, isAnother) = (found.user, found.group, true)
  }

  /// Makes the account the owner of a file or folder.
  func own(_ path: String) throws(PrivateServerError) {
    guard isAnother else { return }
    guard lchown(path, user, group) == 0 else {
      throw .system("Cannot give a file to the server's user (id \(user))", path)
    }
  }

  /// The path of the folder, as seen by the server's processes.
  var nameOfFolder: String { isAnother ? "/proc/self/fd/\(Self.folderDescriptor)" : "." }

  /// Returns a program that runs as this account, and that can access the folder through the
  /// ``nameOfFolder`` path.
  func program(
    _ path: String, _ arguments: [String], in folder: ServerFolder
  ) throws(PrivateServerError) -> Program {
    guard isAnother else {
      // The program runs inside the folder and uses the path `.`. pg_ctl passes the path to a
      // shell, which would expand a `$` in the folder's full path.
      return Program(path: path, arguments: arguments, workingDirectory: folder.path)
    }
    guard let setpriv = Program.find("setpriv") else {
      throw PrivateServerError(
        "PostgreSQL does not run as root, and setpriv, which changes the user, is not there.",
        where: "PATH", next: "Install it: apt-get install util-linux")
    }
    let identity = ["--reuid", "\(user)", "--regid", "\(group)", "--clear-groups"]
    return Program(
      path: setpriv, arguments: identity + [path] + arguments, workingDirectory: "/",
      folder: folder.path)
  }

  private static func find(_ name: String) -> (user: uid_t, group: gid_t)? {
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &result) == 0, result != nil
    else { return nil }
    return (entry.pw_uid, entry.pw_gid)
  }
}
