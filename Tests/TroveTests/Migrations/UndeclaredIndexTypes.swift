// The types for the tests of undeclared indexes.

import Trove

/// An index becomes another one, together with other changes.
enum Reindexed {
    @IndexKeyRecord(keyPrefix: 6_910_001, "id")
    struct First: Hashable {
        #Index<First>(\.a)

        let id: Int
        var a: Int
        var b: Int
    }

    /// The index is gone.
    @IndexKeyRecord(keyPrefix: 6_910_001, "id")
    struct Bare: Hashable {
        let id: Int
        var a: Int
        var b: Int
    }

    /// Another index, and a new field.
    @IndexKeyRecord(keyPrefix: 6_910_001, "id")
    struct Second: Hashable {
        #Index<Second>(\.b)

        let id: Int
        var a: Int
        var b: Int
        var c: String?
    }

    /// The values of `a` do not fit.
    @IndexKeyRecord(keyPrefix: 6_910_001, "id")
    struct Narrow: Hashable {
        #Index<Narrow>(\.b)

        let id: Int
        var a: Int8
        var b: Int
    }

    /// The values of `a` are dropped.
    @IndexKeyRecord(keyPrefix: 6_910_001, "id")
    struct Shorter: Hashable {
        #Index<Shorter>(\.b)

        let id: Int
        var b: Int
    }
}

/// A newer program renames a field, and adds an index.
enum Retitled {
    @IndexKeyRecord(keyPrefix: 6_910_002, "id")
    struct Old: Hashable {
        let id: Int
        var name: String
        var age: Int
    }

    @IndexKeyRecord(keyPrefix: 6_910_002, "id")
    struct New: Hashable {
        #Index<New>(\.age)

        let id: Int
        @Renamed("name") var title: String
        var age: Int
    }
}

/// A newer program adds a field that an older program can do without, and an index.
enum Extended {
    @IndexKeyRecord(keyPrefix: 6_910_003, "id")
    struct Old: Hashable {
        let id: Int
        var age: Int
    }

    @IndexKeyRecord(keyPrefix: 6_910_003, "id")
    struct New: Hashable {
        #Index<New>(\.age)

        let id: Int
        var age: Int
        var note: String?
    }
}
