// The types of `DowngradeTests.swift`: older programs and their knowledge of newer layouts.

import Foundation
import Trove

enum Guarded {
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct A: Hashable {
        let id: Int
        var name: String
        var size: Int
    }

    /// A layout readable by A.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct B: Hashable {
        let id: Int
        var name: String
        var size: Int
        var note: String?
    }

    /// A layout unreadable by A: A does not know the other name.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct C: Hashable {
        let id: Int
        @Renamed("name") var title: String
        var size: Int
    }

    /// A layout unreadable by any other program: it has a field with a custom layout.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct E: Hashable {
        let id: Int
        var name: String
        var size: Int
        var extra: Sealed?
    }

    /// A layout whose key order A does not know.
    @IndexKeyRecord(keyPrefix: 6_500_001, "name", "id")
    struct D: Hashable {
        let name: String
        let id: Int
        var size: Int
        var note: String?
    }
}

/// A type renamed under the same prefix.
enum Claimed {
    @IndexKeyRecord(keyPrefix: 6_500_002, "id")
    struct Former: Hashable {
        let id: Int
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 6_500_002, "id")
    struct Present: Hashable {
        let id: Int
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 6_500_002, "id")
    struct PresentAndChanged: Hashable {
        let id: Int
        var name: String
        var size: Int = 2
    }
}
