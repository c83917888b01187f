// The rest of a thread between two steps of work in the background.

import Foundation

extension Thread {
    /// Blocks the thread.
    static func sleep(for duration: Duration) {
        sleep(forTimeInterval: duration / .seconds(1))
    }
}
