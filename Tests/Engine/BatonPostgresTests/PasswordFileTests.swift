import Foundation
import TestSupport
import Testing

@testable import BatonPostgres

/// Tests the file that contains a password, and how the password is overwritten in memory.
struct PasswordFileTests {
  private func file(
    _ content: String, mode: mode_t = 0o600, in folder: TemporaryFolder
  ) throws -> PasswordFile {
    let path = try folder.write("password", Array(content.utf8))
    try #require(chmod(path, mode) == 0)
    return PasswordFile(path, namedBy: "a test")
  }

  private func text(of secret: Secret) -> String { secret.withCString { String(cString: $0) } }

  @Test(arguments: [
    ("word", "word"), ("word\n", "word"), ("word\r\n", "word"), (" two words \n", " two words "),
    ("päss%@/:?#'\\", "päss%@/:?#'\\"),
    (String(repeating: "x", count: 65_535) + "\n", String(repeating: "x", count: 65_535)),
  ])
  func `the one line is the password, without its end`(content: String, password: String) throws {
    let folder = try TemporaryFolder()
    #expect(text(of: try file(content, in: folder).read()) == password)
  }

  @Test(arguments: [
    "", "\n", "\r\n", "one\ntwo", "one\ntwo\n", "\none", "a\0b",
    String(repeating: "x", count: 70_000),
  ])
  func `what is not one line is no password`(content: String) throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: PostgresError.self) { try file(content, in: folder).read() }
    #expect(error?.sqlState == .invalidPassword)
    #expect(error?.message.contains("one line") == true)
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o660, 0o644, 0o777, 0o610] as [mode_t])
  func `a file that others may read or write is refused, and says what to do`(mode: mode_t) throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: PostgresError.self) {
      try file("hunter2", mode: mode, in: folder).read()
    }
    #expect(error?.message.contains("(mode \(String(mode, radix: 8)))") == true)
    #expect(error?.place == folder.path + "/password (a test)")
    #expect(error?.hint?.contains("chmod 600 \(folder.path)/password") == true)
    #expect(!"\(String(reflecting: error))".contains("hunter2"))
  }

  @Test(arguments: [0o600, 0o400, 0o700] as [mode_t])
  func `a file of our own is read`(mode: mode_t) throws {
    let folder = try TemporaryFolder()
    #expect(text(of: try file("word", mode: mode, in: folder).read()) == "word")
  }

  @Test func `root may lend a file to a group, and nobody else may`() {
    let (we, they) = (uid_t(10_001), uid_t(10_002))
    for mode in [0o600, 0o400, 0o440, 0o640] as [mode_t] {
      #expect(PasswordFile.access(owner: 0, mode: mode, by: we) == .ours)
    }
    for mode in [0o660, 0o444, 0o644, 0o450] as [mode_t] {
      #expect(PasswordFile.access(owner: 0, mode: mode, by: we) == .open)
    }
    #expect(PasswordFile.access(owner: we, mode: 0o440, by: we) == .open)
    #expect(PasswordFile.access(owner: 0, mode: 0o440, by: 0) == .open)
    for mode in [0o600, 0o666] as [mode_t] {
      #expect(PasswordFile.access(owner: they, mode: mode, by: we) == .anothers)
      #expect(PasswordFile.access(owner: we, mode: mode, by: 0) == .anothers)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `what is no file is refused and not waited for`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    for (path, word) in [
      (pipe, "not a regular file"), (folder.path, "not a regular file"),
      ("/dev/null", "not a regular file"),
      (folder.path + "/gone", "No such file"),
    ] {
      let error = #expect(throws: PostgresError.self) {
        try PasswordFile(path, namedBy: "a test").read()
      }
      #expect(error?.message.contains(word) == true, "\(path): \(String(describing: error))")
    }
  }

  // MARK: In memory

  @Test func `a secret prints as stars, and nothing encodes it`() throws {
    let folder = try TemporaryFolder()
    let secret = try file("hunter2", in: folder).read()
    var dumped = ""
    dump(["a": secret], to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), "\([secret])", dumped] {
      #expect(!text.contains("hunter2"))
    }
    #expect("\(secret)" == "***")
    #expect(!((secret as Any) is any Encodable))
  }

  @Test func `a configuration prints without its address`() {
    let configuration = ConnectionConfiguration(
      address: "postgresql://u:hunter2@db.example.org/app", applicationName: "orders")
    var dumped = ""
    dump(configuration, to: &dumped)
    for text in ["\(configuration)", String(reflecting: configuration), dumped] {
      #expect(!text.contains("hunter2"), "\(text)")
    }
  }

  @Test func `a message that holds the password is shown without it`() {
    let text = "could not translate host name \"s3cret!word@db\""
    #expect(
      text.withoutPassword("s3cret!word", besides: ["u", "h", "d"])
        == "could not translate host name \"***@db\"")
    // Stars in place of the name would show that the password equals the name.
    #expect("role \"gymrats\"".withoutPassword("gymrats", besides: ["gymrats"]).contains("gymrats"))
    #expect("no such host".withoutPassword("no", besides: []) == "no such host")
    #expect("no such host".withoutPassword("", besides: []) == "no such host")
  }
}
