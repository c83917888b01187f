// The descriptions of the errors for a map that is full, or that cannot be had.

import LMDB

extension StoreError.FileError {
    /// Describes a full map.
    ///
    /// - Parameter isSmall: Whether the system gives an app few addresses, so that the map may be unable to grow.
    static func mapFullText(_ path: String, _ limit: Int, isSmall: Bool = AddressSpace.isSmall) -> String {
        let text =
            "A transaction on \(path) needs more space than the map of \(limit) bytes. Raise mapSize, or write less at once. Repeat it if the map grows: the map is doubled first. If it does not grow, delete records"
        return isSmall ? "\(text), or \(AddressSpace.advice(isSmall: true))." : "\(text)."
    }

    /// Describes a map for which the process has no addresses.
    ///
    /// - Parameter isSmall: Whether the system gives an app few addresses.
    static func noAddressSpaceText(_ path: String, _ size: Int, isSmall: Bool = AddressSpace.isSmall) -> String {
        "\(path) was not opened: the process has no free address space of \(size) bytes for its map. Choose a smaller mapSize, close other stores, or \(AddressSpace.advice(isSmall: isSmall))."
    }
}
