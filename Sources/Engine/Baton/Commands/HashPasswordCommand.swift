import ArgumentParser
import Foundation

/// The `hash-password` command, which prints a line for the dashboard's users file.
struct HashPasswordCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "hash-password",
    abstract: "Hash a password, and print a line for the file of BATON_HTTP_PASSWORD_FILE.",
    discussion: """
      The password is read from the terminal without echo, or from one line of stdin. It must have at least \
      \(shortest) bytes. The line contains the name and a hash of scrypt, and never the password. Append the line to the \
      file; the server reads the file again for each request.
      """)

  /// The minimum length of a password in bytes.
  ///
  /// A password shorter than 12 bytes is easy to guess, or is probably a typo.
  static let shortest = 12
  private static let longest = 256

  @Argument(help: "The name of the user: 1 to 64 characters of ASCII without ':' and spaces.")
  var name: String

  func checkArguments() throws {
    guard HTTPUsers.isName(name) else {
      throw ValidationError("The name has 1 to 64 characters of ASCII, without ':' and spaces.")
    }
  }

  func run() async throws {
    try await Complaint.reportingErrors {
      let front = try HTTPOptions.front()
      let password = try Self.password()
      Console.write("\(name):\(try front.hash(password))")
    }
  }

  private static func password() throws -> String {
    let text: String?
    if isatty(STDIN_FILENO) == 1 {
      text = getpass("Password: ").map { String(cString: $0) }
      guard let again = getpass("Again: "), String(cString: again) == text else {
        throw Complaint(
          .usage, what: "The two passwords differ.", place: "the terminal",
          next: "Run the command again. Nothing was printed.")
      }
    } else {
      text = readLine()
    }
    guard let text, (shortest...longest).contains(text.utf8.count) else {
      throw Complaint(
        .usage, what: "A password has \(shortest) to \(longest) bytes.", place: "stdin",
        next: "Enter a longer one, for example that of `openssl rand -base64 18`.")
    }
    return text
  }
}
