/** Rich text as dashboard editors produce it, one for each thing that is hard to show. */

export const CAMPAIGN =
  '<h2>Spring sale</h2><p>Three banners for our <strong>spring sale</strong>, in the ' +
  '<em>fresh</em> look of <a href="https://brand.example.com/guide?page=2&amp;v=3">the guide</a>.' +
  '</p><ul><li>Headline: “Spring is here”</li><li>Price tag in <u>brand green</u></li>' +
  '<li>No <s>flowers</s> bees</li></ul><p>Thanks!<br>Ana</p>';

export const NESTED_LISTS =
  '<p><b>Please restyle <i>all <u>forty</u> slides</i></b>:</p>' +
  '<ol><li>Cover<ul><li>Logo</li><li>Date<ol><li>Long</li><li>Short</li></ol></li></ul></li>' +
  '<li>Charts &amp; tables</li><li>Appendix</li></ol>' +
  '<blockquote><p>Keep it calm.</p></blockquote><pre><code>primary = #5b6cff</code></pre>';

export const TABLE =
  '<p>Scenes:</p><table><thead><tr><th>Second</th><th>Shows</th></tr></thead><tbody>' +
  '<tr><td>0&ndash;5</td><td>Logo</td></tr><tr><td>5&ndash;12</td><td>Product</td></tr>' +
  '<tr><td>12&ndash;15</td><td><a href="https://example.com/shop">Shop</a></td></tr>' +
  '</tbody></table>';

export const PICTURES =
  '<p>Like last year’s:</p><p><img src="https://example.com/last-year.png" alt="Last year’s flyer">' +
  '</p><figure><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><figcaption>Map</figcaption>' +
  '</figure><hr><div><span style="color:#f00">Print run: 2,000</span></div>';

/** What the service's text must never do to a reader, and markup that never ends. */
export const HOSTILE =
  '<p>&lt;!channel&gt; &lt;@U012AB3CD&gt; <!channel> *not bold* `not code`</p>' +
  '<p><a href="javascript:alert(1)">press</a> <a href="https://evil.example/">https://good.example/</a>' +
  '</p><script>alert(1)</script><style>p{color:red}</style><p>unclosed <b>bold <i>both';

const PARAGRAPH =
  '<p>Every market gets its own adaptation: headline, price, legal line and picture differ. ' +
  'Start from the <strong>master file</strong>, keep layers named, and hand over sources.</p>';

/** More than any Slack text can hold. */
export const LONG = PARAGRAPH.repeat(40);
