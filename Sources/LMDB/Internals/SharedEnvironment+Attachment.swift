// An object of the layer above, kept as long as the file is open in this process.

extension SharedEnvironment {
    /// Returns the object shared between all openers of the file in the layer above. The first call creates it.
    ///
    /// It must not retain the environment: the environment retains it.
    package func attachment<Attached: AnyObject & Sendable>(_ make: () -> Attached) -> Attached {
        attached.withLock { attached in
            if let existing = attached as? Attached { return existing }
            let made = make()
            attached = made
            return made
        }
    }
}
