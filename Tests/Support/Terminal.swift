import Foundation
import Synchronization

/// A terminal that a program writes to, and what it has shown so far.
package final class Terminal: Sendable {
  /// What the program opens.
  package let path: String
  private let descriptor: Int32
  private let shown = Mutex<[UInt8]>([])

  /// A new terminal.
  ///
  /// - Throws: `TestFailure` where the system has none.
  package init() throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (Int32, Int32) = (0, 0)
    // unlockpt and ptsname, which Swift does not see: TIOCSPTLCK and TIOCGPTN of Linux.
    guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &locked) == 0,
      ioctl(descriptor, 0x8004_5430, &number) == 0
    else { throw TestFailure("no terminal: \(String(cString: strerror(errno)))") }
    path = "/dev/pts/\(number)"
  }

  deinit { close(descriptor) }

  /// Says how large the window is; who draws hears of it by SIGWINCH, from whoever started it.
  ///
  /// - Throws: `TestFailure` where the system does not take it.
  package func resize(columns: UInt16, lines: UInt16) throws {
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw TestFailure("no such size") }
  }

  /// Types keys.
  ///
  /// - Throws: `TestFailure` where the terminal takes none.
  package func type(_ keys: String) throws {
    let bytes = Array(keys.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw TestFailure("the terminal takes no keys")
    }
  }

  /// Whether keys are shown and handed on by the line, as a shell needs it.
  package var showsKeys: Bool {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    let flags = tcflag_t(ECHO | ICANON)
    return modes.c_lflag & flags == flags
  }

  /// Everything that was written to it, control characters included.
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
