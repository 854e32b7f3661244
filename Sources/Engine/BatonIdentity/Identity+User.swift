public import BatonPostgres
import Foundation

extension Identity {
  /// A user who is signed in, by a signed claim: whoever may run SQL of their own as this login can make
  /// themselves nobody else.
  ///
  /// - Parameters:
  ///   - role: a role that has the rights of users: `PREFIX_user`, or a member of it.
  ///   - signer: what the database has the key of.
  public static func user(_ id: String, role: String, signer: IdentitySigner) -> Identity {
    Identity(role: role) { backend in .signed(signer.claim(for: id, on: backend)) }
  }

  /// A user who is signed in, by the claim that PostgREST makes: it counts where the database has no keys, and
  /// trusts the login to make no other.
  ///
  /// - Parameter role: a role that has the rights of users: `PREFIX_user`, or a member of it.
  public static func user(_ id: String, role: String) -> Identity {
    Identity(role: role) { _ in
      // A text can always be encoded; without claim it is nobody.
      guard let json = try? JSONEncoder().encode(["sub": id]) else { return .none }
      return .unsigned(String(decoding: json, as: UTF8.self))
    }
  }

  /// Somebody who is not signed in.
  ///
  /// - Parameter role: a role that has the rights of everybody: `PREFIX_anon`, or a member of it.
  public static func nobody(role: String) -> Identity {
    Identity(role: role) { _ in .none }
  }
}
