// A job of the writer thread.

import Dispatch
import Synchronization

/// A job of the writer thread.
package protocol WriterJob: AnyObject, Sendable {
    /// Runs the job. The turn ends when this method returns.
    ///
    /// - Parameter queue: The queue. The job may take along the jobs directly after it.
    func run(in queue: WriterQueue)
}
