import Foundation

/// Certificates of a test authority, created by `openssl`.
///
/// One certificate has expired, and the others are valid for one day.
package struct Certificates: Sendable {
  /// Whether `openssl` is installed, so that certificates can be created.
  package static let canBeMade = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
  /// The host name in the server's certificates, which no name server resolves.
  package static let host = "db.gymrats.test"

  /// The folder of the certificates.
  ///
  /// The folder contains `ca.crt` and `other.crt`, and the certificates and keys `server`,
  /// `expired`, `self` and `client`.
  package let folder: TemporaryFolder

  /// Creates the certificates.
  ///
  /// - Parameter role: the database role in the client's certificate.
  /// - Throws: `TestFailure` if `openssl` fails.
  package init(for role: String) async throws {
    folder = try TemporaryFolder()
    let made = try await TestProcess(
      "/bin/bash", ["-c", Self.script, role, Self.host],
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path], directory: folder.path
    ).wait()
    guard made.status == 0 else { throw TestFailure("openssl: \(made.errors)") }
  }

  /// Returns the path of one of the files in the folder.
  package func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// The script that creates the certificates, with the role and the host as arguments.
  ///
  /// The keys use elliptic curves, because generating an RSA key takes a second.
  private static let script = """
    set -euo pipefail
    key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
    authority() { openssl req -x509 "${key[@]}" -keyout "$1.key" -out "$1.crt" -days 1 -subj "/CN=$1"; }
    signed() {  # file, name, days
      openssl req -new "${key[@]}" -keyout "$1.key" -out "$1.csr" -subj "/CN=$2"
      openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days "$3" -out "$1.crt" \
        -extfile <(printf 'subjectAltName=DNS:%s' "$2")
    }
    authority ca
    authority other
    signed server "$1" 1
    signed expired "$1" 0
    signed client "$0" 1
    openssl req -x509 "${key[@]}" -keyout self.key -out self.crt -days 1 -subj "/CN=$1" \
      -addext "subjectAltName=DNS:$1"
    """
}
