import Foundation
import Synchronization

/// A pseudoterminal for a program, with the output of the program.
package final class Terminal: Sendable {
  /// The path of the terminal that the program opens.
  package let path: String
  private let descriptor: Int32
  private let shown = Mutex<[UInt8]>([])

  /// Creates a terminal.
  ///
  /// - Throws: `TestFailure` if the operating system provides no terminal.
  package init() throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (Int32, Int32) = (0, 0)
    // The constants are TIOCSPTLCK and TIOCGPTN of Linux, because the functions unlockpt and
    // ptsname are not available in Swift.
    guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &locked) == 0,
      ioctl(descriptor, 0x8004_5430, &number) == 0
    else { throw TestFailure("no terminal: \(String(cString: strerror(errno)))") }
    path = "/dev/pts/\(number)"
  }

  deinit { close(descriptor) }

  /// Sets the size of the window.
  ///
  /// The program is notified by SIGWINCH, which the test has to send.
  ///
  /// - Throws: `TestFailure` if the operating system refuses the size.
  package func resize(columns: UInt16, lines: UInt16) throws {
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw TestFailure("no such size") }
  }

  /// Sends keystrokes to the program.
  ///
  /// - Throws: `TestFailure` if the terminal does not accept the keystrokes.
  package func type(_ keys: String) throws {
    let bytes = Array(keys.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw TestFailure("the terminal takes no keys")
    }
  }

  /// Whether the terminal echoes keystrokes and sends whole lines to the program, as a shell
  /// requires.
  package var showsKeys: Bool {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    let flags = tcflag_t(ECHO | ICANON)
    return modes.c_lflag & flags == flags
  }

  /// The complete output of the program, including control characters.
  package var text: String {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return shown.withLock { shown in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLIN) != 0 {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        shown += buffer.prefix(count)
      }
      return String(decoding: shown, as: UTF8.self)
    }
  }
}
