// The end of tests that wait for ever.

import Testing

extension Trait where Self == TimeLimitTrait {
    /// Cancels a test that waits for what never comes.
    ///
    /// The limit is far above what a test takes while the whole suite runs beside it.
    static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
