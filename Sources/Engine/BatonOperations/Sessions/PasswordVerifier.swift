import Baton

/// Compares passwords with their hashes.
protocol PasswordVerifier: Sendable {
  /// Returns whether a password matches a hash.
  ///
  /// If the hash is nil, the call takes as long as a comparison, so that the duration does not
  /// reveal which names exist.
  func isRight(_ password: String, for hash: PasswordHash?) async -> Bool
}

#if HTTP
  import CryptoExtras
  import Dispatch
  import Foundation

  /// Compares passwords with scrypt, one at a time.
  ///
  /// A comparison takes about 0.1 s of CPU time. Concurrent comparisons could use all cores and all
  /// of the process's memory, so comparisons run one at a time.
  struct ScryptVerifier: PasswordVerifier {
    private let queue = DispatchQueue(label: "passwords")
    private static let length = 32

    func isRight(_ password: String, for hash: PasswordHash?) async -> Bool {
      await withCheckedContinuation { continuation in
        queue.async {
          let expected = hash ?? PasswordHash(cost: .standard, salt: [], hash: [])
          let count = hash?.hash.count ?? Self.length
          let found = try? Self.hash(password, expected.cost, expected.salt, count)
          continuation.resume(returning: found.map { Self.isEqual($0, expected.hash) } ?? false)
        }
      }
    }

    /// Returns the hash of a new password, with a random salt.
    static func hash(
      _ password: String, cost: PasswordHash.Cost = .standard
    ) throws -> PasswordHash {
      var system = SystemRandomNumberGenerator()
      let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &system) }
      return PasswordHash(cost: cost, salt: salt, hash: try hash(password, cost, salt, length))
    }

    private static func hash(
      _ password: String, _ cost: PasswordHash.Cost, _ salt: [UInt8], _ count: Int
    ) throws -> [UInt8] {
      try KDF.Scrypt.deriveKey(
        from: Array(password.utf8), salt: salt, outputByteCount: count, rounds: 1 << cost.rounds,
        blockSize: cost.blockSize, parallelism: cost.parallelism
      ).withUnsafeBytes { Array($0) }
    }

    /// Returns whether two hashes are equal, in constant time.
    private static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
      one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
  }
#endif
