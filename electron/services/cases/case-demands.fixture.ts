import { expect } from 'vitest';
import { z } from 'zod';

/**
 * What the specifications demand of each thing, property by property, written from them and not from the code: MISP
 * core format (draft-dulaunoy-misp-core-format), misp-objects (templates "file" and "annotation", of June 2026), the
 * taxonomy "tlp" (version 10), STIX 2.1 (OASIS standard), and the TLP 2.0 extension.
 */

export const anything = z.record(z.string(), z.unknown());
export type Thing = z.infer<typeof anything>;
export const things = z.array(anything);

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const text = /^[^]+$/;
export type Demand = RegExp | 'boolean' | 'array' | 'number' | 'object' | readonly string[];

export function expectDemands(thing: Thing, demands: Readonly<Record<string, Demand>>): void {
  for (const [property, demand] of Object.entries(demands)) {
    const value = thing[property];
    const where = JSON.stringify([thing['type'], thing['name'], property]);
    if (demand instanceof RegExp) expect(value, where).toEqual(expect.stringMatching(demand));
    else if (demand === 'array') expect(Array.isArray(value), where).toBe(true);
    else if (typeof demand === 'string') expect(typeof value, where).toBe(demand);
    else expect(demand, where).toContain(value);
  }
}
