#if canImport(CCurl)
/// The state that the transfers of a loop share with it.
final class CurlContext {
    let configuration: CurlTransport.Configuration
    /// The time of this iteration of the loop; callbacks use it because reading the clock would cost more than its
    /// precision is worth.
    var now = ContinuousClock.now
    var news = CurlScheduler.News()

    init(configuration: CurlTransport.Configuration) { self.configuration = configuration }
}
#endif
