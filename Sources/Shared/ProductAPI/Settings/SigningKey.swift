#if HTTP
  import BatonIdentity
  package import BatonPostgres
  import Synchronization

  /// The key that the API uses to sign the identity of each transaction.
  ///
  /// The file contains one `ID:KEY` line with the columns that `rotate_claim_key()` returned. The
  /// file is reread every ten seconds, so a new key needs no restart.
  package final class SigningKey: Sendable {
    private static let longestUse = Duration.seconds(10)

    private let file: PasswordFile
    private let state: Mutex<(signer: IdentitySigner, readAt: ContinuousClock.Instant)>

    /// Reads the key.
    ///
    /// - Throws: `PostgresError` if the file is unusable.
    init(_ file: PasswordFile) throws(PostgresError) {
      self.file = file
      state = Mutex((try Self.signer(in: file), .now))
    }

    /// A user's identity for one transaction.
    package func identity(of user: String, role: String) -> Identity {
      .user(user, role: role, signer: signer)
    }

    /// The current signer.
    ///
    /// If the file is currently unusable, for example because another process is writing it, the
    /// last key is used.
    private var signer: IdentitySigner {
      state.withLock { state in
        if state.readAt.duration(to: .now) >= Self.longestUse {
          state = ((try? Self.signer(in: file)) ?? state.signer, .now)
        }
        return state.signer
      }
    }

    private static func signer(in file: PasswordFile) throws(PostgresError) -> IdentitySigner {
      let parts = try file.read().text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let id = Int(parts[0]),
        let signer = IdentitySigner(keyID: id, key: String(parts[1]))
      else {
        throw PostgresError(
          .invalidPassword, "the signing key file does not hold one line ID:KEY",
          hint: "Write the columns of rotate_claim_key() into \(file.path), joined with a colon.",
          place: "\(file.path) (\(file.namedBy))")
      }
      return signer
    }
  }
#endif
