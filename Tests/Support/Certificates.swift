import Foundation

/// Certificates of an authority of the tests' own, made by `openssl`; all last a day, but for one that has ended.
package struct Certificates: Sendable {
  /// Whether this machine can make any.
  package static let canBeMade = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
  /// The name in the server's certificates; no name server knows it.
  package static let host = "db.gymrats.test"

  /// Where they are: `ca.crt`, `other.crt` and, with their keys, `server`, `expired`, `self` and `client`.
  package let folder: TemporaryFolder

  /// Makes them.
  ///
  /// - Parameter role: who the client's certificate is for.
  /// - Throws: `TestFailure` where `openssl` fails.
  package init(for role: String) async throws {
    folder = try TemporaryFolder()
    let made = try await TestProcess(
      "/bin/bash", ["-c", Self.script, role, Self.host],
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path], directory: folder.path
    ).wait()
    guard made.status == 0 else { throw TestFailure("openssl: \(made.errors)") }
  }

  /// The path of one of the files.
  package func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Its arguments are the role and the host.
  ///
  /// Elliptic curves, because keys of RSA take a second to find.
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
