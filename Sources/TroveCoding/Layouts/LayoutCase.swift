// A case of an enum in a layout.

/// A case of an enum.
public struct LayoutCase: Hashable, Sendable {
    /// The name of the case.
    public var name: String
    /// The associated values, with or without labels.
    public var values: [Value]

    /// An associated value.
    public struct Value: Hashable, Sendable {
        /// The label; nil if there is none.
        public var label: String?
        /// The shape of the value.
        public var type: LayoutType

        /// Creates a value.
        public init(label: String?, type: LayoutType) {
            self.label = label
            self.type = type
        }
    }

    /// Creates a case.
    public init(_ name: String, _ values: [Value] = []) {
        self.name = name
        self.values = values
    }
}
