import Foundation

/// A password in memory: it prints as `***`, nothing encodes it, and it is overwritten when nobody holds it.
///
/// libpq keeps a copy of its own for as long as a connection lives, and overwrites that too.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let bytes: SecretBytes

  /// A secret of these bytes, which hold no zero.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = SecretBytes(bytes) }

  /// A secret that somebody else has as text already; that copy is not overwritten.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { Secret(UnsafeRawBufferPointer($0)) }
  }

  /// How many bytes it has.
  package var count: Int { bytes.count }

  /// How many bytes there are behind the first such byte; all of them where there is none.
  package func count(behindFirst byte: UInt8) -> Int {
    let place = (0..<count).first { UInt8(bitPattern: bytes.pointer[$0]) == byte }
    return place.map { count - $0 - 1 } ?? count
  }

  /// Whether the text is the same; how long this takes says how long the text is and nothing of the secret.
  package func isEqual(to text: some StringProtocol) -> Bool {
    guard bytes.count > 0 else { return false }
    var (difference, position) = (UInt8(0), 0)
    for byte in text.utf8 {
      difference |= byte ^ UInt8(bitPattern: bytes.pointer[position % bytes.count])
      position += 1
    }
    return difference == 0 && position == bytes.count
  }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { bytes.count == 0 }

  /// Calls `body` with the text as C takes it; the pointer must not be kept.
  func withCString<R>(_ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R {
    try withExtendedLifetime(bytes) { try body(bytes.pointer) }
  }

  /// `***`.
  public var description: String { "***" }
  /// `***`.
  public var debugDescription: String { "***" }
  /// Nothing, for `dump` and for whoever prints a value that has a secret in it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Never changed once it is made, hence unchecked.
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

/// Overwrites memory that held a secret.
///
/// Not by `memset`: a compiler leaves that out where the memory is freed next.
func overwrite(_ memory: UnsafeMutableRawPointer, _ count: Int) {
  explicit_bzero(memory, count)
}
