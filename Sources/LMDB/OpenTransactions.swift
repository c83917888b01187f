// The transactions that keep an environment from being closed.

/// The numbers of transactions of this process on a file.
package struct OpenTransactions: Hashable, Sendable {
    /// The number of open read transactions.
    package var reads: Int
    /// The number of write transactions, open or waiting for their turn.
    package var writes: Int
}
