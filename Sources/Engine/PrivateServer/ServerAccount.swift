import Foundation

/// The system user whose processes the server's are.
///
/// PostgreSQL refuses to run as root, so as root it runs as `postgres` or `nobody`. That user may
/// not be able to walk to the folder: /root has mode 0700, and a clone often lies there. So we open
/// the folder, and the server gets it as an inherited descriptor under the name `/proc/self/fd/4`,
/// which needs no permission on the folders above. Tried or weighed, and not taken:
/// - the capability CAP_DAC_READ_SEARCH, through setpriv, works, but Docker does not grant it, and
///   with CAP_DAC_OVERRIDE, which it does grant, SQL could overwrite any file of the machine;
/// - data under /var/lib with a link to it stays behind, its server running, when somebody
///   removes the folder.
struct ServerAccount {
  let user: uid_t
  let group: gid_t
  /// Whether the caller is root and the server somebody else.
  let isAnother: Bool

  static let folderDescriptor: Int32 = 4

  /// The caller; for root the owner of the data, for new data `postgres` or `nobody`.
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

  /// Gives a file or folder to the account.
  func own(_ path: String) throws(PrivateServerError) {
    guard isAnother else { return }
    guard lchown(path, user, group) == 0 else {
      throw .system("Cannot give a file to the server's user (id \(user))", path)
    }
  }

  /// How the server's processes call the folder.
  var nameOfFolder: String { isAnother ? "/proc/self/fd/\(Self.folderDescriptor)" : "." }

  /// A program that runs as this account, with the folder at hand under `nameOfFolder`.
  func program(
    _ path: String, _ arguments: [String], in folder: ServerFolder
  ) throws(PrivateServerError) -> Program {
    guard isAnother else {
      // From inside the folder, because pg_ctl hands its path to a shell: a `$` in it would be
      // expanded there.
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
