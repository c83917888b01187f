// The types of `DowngradeTests.swift`: what older programs know of newer layouts.

import Foundation
import Trove

enum Guarded {
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct A: Hashable {
        let id: Int
        var name: String
        var size: Int
    }

    /// What A can read.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct B: Hashable {
        let id: Int
        var name: String
        var size: Int
        var note: String?
    }

    /// What A cannot read: it knows of no other name.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct C: Hashable {
        let id: Int
        @Renamed("name") var title: String
        var size: Int
    }

    /// What nobody else can read: a field with a layout of its own.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct E: Hashable {
        let id: Int
        var name: String
        var size: Int
        var extra: Sealed?
    }

    /// Whose order A does not know.
    @IndexKeyRecord(keyPrefix: 6_500_001, "name", "id")
    struct D: Hashable {
        let name: String
        let id: Int
        var size: Int
        var note: String?
    }
}

/// A type that gets another name behind its prefix.
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
