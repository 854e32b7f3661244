import Foundation

/// A password in memory.
///
/// A secret is printed as `***`, cannot be encoded, and is overwritten after its last use.
///
/// While a connection exists, libpq has its own copy of the password. libpq itself overwrites its
/// copy.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let bytes: SecretBytes

  /// Creates a secret from bytes that contain no zero byte.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = SecretBytes(bytes) }

  /// Creates a secret from a string.
  ///
  /// The caller's string is not overwritten.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { Secret(UnsafeRawBufferPointer($0)) }
  }

  /// The number of bytes.
  package var count: Int { bytes.count }

  /// Returns whether the string equals the secret.
  ///
  /// The duration of the comparison depends only on the string's length, and reveals nothing about
  /// the secret.
  package func isEqual(to text: some StringProtocol) -> Bool {
    guard bytes.count > 0 else { return false }
    var (difference, position) = (UInt8(0), 0)
    for byte in text.utf8 {
      difference |= byte ^ UInt8(bitPattern: bytes.pointer[position % bytes.count])
      position += 1
    }
    return difference == 0 && position == bytes.count
  }

  /// The secret as a string.
  ///
  /// The returned string is not overwritten in memory.
  ///
  /// Use this property only for text that contains no password, for example for a password hash.
  package var text: String { withCString { String(cString: $0) } }

  /// Whether the secret is empty.
  public var isEmpty: Bool { bytes.count == 0 }

  /// Calls `body` with the secret as a C string.
  ///
  /// The pointer must not be stored.
  func withCString<R>(_ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R {
    try withExtendedLifetime(bytes) { try body(bytes.pointer) }
  }

  /// The text `***`.
  public var description: String { "***" }
  /// The text `***`.
  public var debugDescription: String { "***" }
  /// An empty mirror, for `dump` and for printing a value that contains a secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The bytes of a secret.
///
/// The `Sendable` conformance is unchecked, because the bytes never change after they are created.
private final class SecretBytes: @unchecked Sendable {
  let count: Int
  private let memory: UnsafeMutablePointer<CChar>
  var pointer: UnsafePointer<CChar> { UnsafePointer(memory) }

  init(_ bytes: UnsafeRawBufferPointer) {
    count = bytes.count
    memory = .allocate(capacity: bytes.count + 1)
    memory.initialize(repeating: 0, count: bytes.count + 1)
    UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyMemory(from: bytes)
  }

  deinit {
    overwrite(memory, count)
    memory.deallocate()
  }
}

/// Overwrites memory that contained a secret.
///
/// `memset` is not used, because the compiler may remove the call.
func overwrite(_ memory: UnsafeMutableRawPointer, _ count: Int) {
  explicit_bzero(memory, count)
}
