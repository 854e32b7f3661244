import Foundation

/// A password in memory: it prints as `***`, it cannot be encoded, and it is overwritten after its last use.
///
/// libpq has its own copy while a connection exists, and overwrites that too.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let bytes: SecretBytes

  /// A secret of these bytes, which contain no zero.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = SecretBytes(bytes) }

  /// A secret from a text that the caller already has; that text is not overwritten.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { Secret(UnsafeRawBufferPointer($0)) }
  }

  /// The number of its bytes.
  package var count: Int { bytes.count }

  /// The number of bytes after the first occurrence of this byte; the number of all bytes if it does not occur.
  package func count(behindFirst byte: UInt8) -> Int {
    let place = (0..<count).first { UInt8(bitPattern: bytes.pointer[$0]) == byte }
    return place.map { count - $0 - 1 } ?? count
  }

  /// Whether the text equals the secret; the time depends only on the length of the text, and reveals nothing of the
  /// secret.
  package func isEqual(to text: some StringProtocol) -> Bool {
    guard bytes.count > 0 else { return false }
    var (difference, position) = (UInt8(0), 0)
    for byte in text.utf8 {
      difference |= byte ^ UInt8(bitPattern: bytes.pointer[position % bytes.count])
      position += 1
    }
    return difference == 0 && position == bytes.count
  }

  /// Whether the secret is empty.
  public var isEmpty: Bool { bytes.count == 0 }

  /// Calls `body` with the text as a C string; the pointer must not be stored.
  func withCString<R>(_ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R {
    try withExtendedLifetime(bytes) { try body(bytes.pointer) }
  }

  /// `***`.
  public var description: String { "***" }
  /// `***`.
  public var debugDescription: String { "***" }
  /// An empty mirror, for `dump` and for printing a value that contains a secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Never changed after its creation, hence unchecked.
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
/// `memset` cannot be used: a compiler removes it if the memory is freed afterwards.
func overwrite(_ memory: UnsafeMutableRawPointer, _ count: Int) {
  explicit_bzero(memory, count)
}
