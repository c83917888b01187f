// String filters whose option has another type. Without these overloads, the compiler of Swift 6.3 ends in a crash: it
// does not describe a wrong argument after an empty parameter pack.

extension Filter {
    /// Does not exist: the option is true or false.
    @_disfavoredOverload
    @available(*, unavailable, message: "'caseSensitive:' is true or false")
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty, Option>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>, contains part: String, caseSensitive: Option
    ) -> Filter {
        .everything
    }

    /// Does not exist: the option is true or false.
    @_disfavoredOverload
    @available(*, unavailable, message: "'caseSensitive:' is true or false")
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty, Option>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>, hasPrefix part: String, caseSensitive: Option
    ) -> Filter {
        .everything
    }

    /// Does not exist: the option is true or false.
    @_disfavoredOverload
    @available(*, unavailable, message: "'caseSensitive:' is true or false")
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty, Option>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>, hasSuffix part: String, caseSensitive: Option
    ) -> Filter {
        .everything
    }

    /// Does not exist: the option is true or false.
    @_disfavoredOverload
    @available(*, unavailable, message: "'caseSensitive:' is true or false")
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty, Option>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>, notContains part: String, caseSensitive: Option
    ) -> Filter {
        .everything
    }

    /// Does not exist: the option is true or false.
    @_disfavoredOverload
    @available(*, unavailable, message: "'caseSensitive:' is true or false")
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty, Option>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>, notHasPrefix part: String, caseSensitive: Option
    ) -> Filter {
        .everything
    }

    /// Does not exist: the option is true or false.
    @_disfavoredOverload
    @available(*, unavailable, message: "'caseSensitive:' is true or false")
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty, Option>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>, notHasSuffix part: String, caseSensitive: Option
    ) -> Filter {
        .everything
    }
}
