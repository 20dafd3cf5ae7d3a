/**
 * A note in Markdown that would load a picture, lead elsewhere and run a script, and is nested deeper than is drawn.
 */
export const hostileNote = [
  '# Ashveil',
  '',
  'Key **0x5c**, [the panel](https://c2.example.org/panel), [run](javascript:alert(1)), <img src=x ' +
    'onerror="document.title=1">',
  '',
  '![shot](https://c2.example.org/shot.png)',
  '',
  '<script>document.title = "taken"</script>',
  '',
  `${'>'.repeat(500)} deep`,
].join('\n');
