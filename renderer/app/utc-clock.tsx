import { useEffect, useState } from 'react';
import { secondWords } from '../components/format.ts';
import { text } from './text.ts';

export function UtcClock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={now.toISOString()} title={text.clock} role="timer" aria-live="off">
      {secondWords(now)}
    </time>
  );
}
