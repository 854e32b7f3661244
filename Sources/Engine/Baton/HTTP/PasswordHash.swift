import Foundation

/// A password hashed by scrypt (RFC 7914), as text in the PHC string format.
///
/// An example is `$scrypt$ln=14,r=8,p=5$SALT$HASH`, with the salt and the hash in base64 without
/// padding.
package struct PasswordHash: Sendable, Equatable, CustomStringConvertible {
  /// The parameters that determine how much time and memory each guess of a password takes.
  package struct Cost: Sendable, Equatable {
    /// The binary logarithm of the number of rounds.
    package let rounds: Int
    package let blockSize: Int
    package let parallelism: Int

    package init(rounds: Int, blockSize: Int, parallelism: Int) {
      (self.rounds, self.blockSize, self.parallelism) = (rounds, blockSize, parallelism)
    }

    /// Cost parameters that OWASP recommends, with 16 MiB of memory.
    ///
    /// The systemd units of `worker` and `serve` limit the process to 256 MiB of memory.
    package static let standard = Cost(rounds: 14, blockSize: 8, parallelism: 5)
    /// Whether the parameters are within the limits that keep the memory for one hash below 64 MiB.
    fileprivate var isAllowed: Bool {
      (1...16).contains(rounds) && (1...8).contains(blockSize) && (1...16).contains(parallelism)
    }
  }

  package let cost: Cost
  package let salt: [UInt8]
  package let hash: [UInt8]

  package init(cost: Cost, salt: [UInt8], hash: [UInt8]) {
    (self.cost, self.salt, self.hash) = (cost, salt, hash)
  }

  /// Parses a string, or returns nil if the string is not a scrypt hash in the PHC format.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
      let match = String(parts[2]).wholeMatch(of: /ln=([0-9]{1,2}),r=([0-9]{1,2}),p=([0-9]{1,2})/),
      let rounds = Int(match.1), let blockSize = Int(match.2), let parallelism = Int(match.3),
      let salt = Self.bytes(parts[3]), let hash = Self.bytes(parts[4])
    else { return nil }
    let cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    guard cost.isAllowed, salt.count >= 8, hash.count >= 16 else { return nil }
    self.init(cost: cost, salt: salt, hash: hash)
  }

  package var description: String {
    "$scrypt$ln=\(cost.rounds),r=\(cost.blockSize),p=\(cost.parallelism)"
      + "$\(Self.text(salt))$\(Self.text(hash))"
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
  }

  private static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.count <= 128, !text.contains("=") else { return nil }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text + padding).map { Array($0) }
  }
}
